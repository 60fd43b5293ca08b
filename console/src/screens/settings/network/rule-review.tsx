import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconArrowRight } from '@tabler/icons-react'
import { toSafeLine } from '../../../output/values/safe-text.ts'
import { Loading } from '../../../ui/loading.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Refused } from '../../../ui/refused.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { networkPreviewQuery } from './network-queries.ts'
import type { HostVerdict, NetworkChange, NamedRule } from './network-types.ts'
import { describeScope } from './rule-words.ts'
import styles from './network.module.css'

interface RuleReviewProps {
  /** All rules after the change. */
  rules: readonly NamedRule[]
  task: { isPending: boolean; error: unknown; mutate: () => void }
  confirmLabel: string
  isDangerous?: boolean
  backLabel: string
  onBack: () => void
}

/** Previews the effect of a change before it is saved. */
export function RuleReview(props: RuleReviewProps) {
  const { rules, task, confirmLabel, isDangerous = false, backLabel, onBack } = props
  const query = useQuery(networkPreviewQuery(rules))
  return (
    <>
      <QueryView query={query} loading={<Loading rows={3} />}>
        {({ items, unchanged, isPartial }) => (
          <>
            {items.length === 0 ? (
              <p className={styles.dim}>No host that the rules name is affected.</p>
            ) : (
              <ul className={styles.changes} aria-label="What would change">
                {items.map((change) => (
                  <Change
                    key={`${change.host}:${change.port} ${change.agent ?? ''} ${change.pack}`}
                    change={change}
                  />
                ))}
              </ul>
            )}
            <p className={styles.dim}>
              {isPartial
                ? 'There are more than could be compared.'
                : `${unchanged} ${unchanged === 1 ? 'verdict stays' : 'verdicts stay'} the same.`}
            </p>
          </>
        )}
      </QueryView>
      {task.error !== null && <Refused error={task.error} />}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onBack}>
          {backLabel}
        </Button>
        <Button
          loading={task.isPending}
          disabled={query.data === undefined}
          onClick={() => task.mutate()}
          {...(isDangerous && { color: 'red' })}
        >
          {confirmLabel}
        </Button>
      </Group>
    </>
  )
}

/** Stand for every host and every pack that no rule names. */
const others = { host: 'any-other-host.example', pack: 'other' }

function Change({ change: { host, port, agent, pack, before, after } }: { change: NetworkChange }) {
  const scope = {
    ...(agent !== undefined && { agent }),
    ...(pack !== others.pack && { pack }),
  }
  return (
    <li>
      {host === others.host ? (
        <span>Every other host</span>
      ) : (
        <code dir="auto">{`${toSafeLine(host)}:${port}`}</code>
      )}
      <span className={styles.dim}>{describeScope(scope)}</span>
      <span className={styles.fromTo}>
        <VerdictTag verdict={before.verdict} />
        <IconArrowRight size={14} aria-hidden="true" />
        <span className="visually-hidden">becomes</span>
        <VerdictTag verdict={after.verdict} />
      </span>
    </li>
  )
}

/** Allowed or denied. */
export function VerdictTag({ verdict }: Pick<HostVerdict, 'verdict'>) {
  return <Tag tone={verdict}>{verdict === 'allow' ? 'Allowed' : 'Denied'}</Tag>
}
