import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconCheck, IconRefresh, IconX } from '@tabler/icons-react'
import { api, read } from '../../../api/client.ts'
import { useCan } from '../../../api/me.ts'
import { toSafeLine } from '../../../output/values/safe-text.ts'
import { Caution } from '../../../ui/dialog/caution.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { notifyFailure, notifySuccess } from '../../../ui/notify.ts'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { formatDuration, TimeAgo } from '../../../ui/time.tsx'
import { LoadingPanel } from '../loading-panel.tsx'
import { sandboxQuery } from './sandbox-query.ts'
import type { SandboxState } from './sandbox-query.ts'
import { describeLimits, drivers, stateWords } from './sandbox-words.ts'
import styles from './sandbox.module.css'

/** Whether programs that agents run are kept apart from this server, and how that was found out. */
export function SandboxSection() {
  const query = useQuery(sandboxQuery)
  return (
    <QueryView query={query} loading={<LoadingPanel title="Sandbox" rows={4} />}>
      {(state) => (
        <>
          <State state={state} />
          <Checks state={state} />
        </>
      )}
    </QueryView>
  )
}

function State({ state }: { state: SandboxState }) {
  const { driver, state: found, limits, reason, fix, checkedAt, durationMs } = state
  const { label, tone, meaning } = stateWords[found]
  return (
    <Panel title="Sandbox" actions={<CheckAgain />}>
      <div className={styles.state}>
        {found !== 'verified' && (
          <Caution tone={found === 'unsandboxed' ? 'deny' : 'ask'} title={meaning}>
            {reason !== undefined && <div dir="auto">{toSafeLine(reason)}</div>}
            {fix !== undefined && <div dir="auto">{toSafeLine(fix)}</div>}
          </Caution>
        )}
        <Facts>
          <dt>State</dt>
          <dd>
            <Tag tone={tone}>{label}</Tag>
            {found === 'verified' && <span className={styles.meaning}>{meaning}</span>}
          </dd>
          <dt>Driver</dt>
          <dd>
            {drivers[driver]} <code>{driver}</code>
          </dd>
          <dt>Limits</dt>
          <dd>{describeLimits(limits)}</dd>
          <dt>Checked</dt>
          <dd>
            <TimeAgo at={checkedAt} />, in {formatDuration(durationMs)}
          </dd>
        </Facts>
      </div>
    </Panel>
  )
}

function CheckAgain() {
  const queryClient = useQueryClient()
  const mayCheck = useCan('calls.manage')
  const check = useMutation({
    mutationFn: () => read(api.POST('/api/v1/sandbox/check')),
    onSuccess(state) {
      queryClient.setQueryData(sandboxQuery.queryKey, state)
      notifySuccess(`Self-test finished: ${stateWords[state.state].label.toLowerCase()}`)
    },
    onError: notifyFailure,
  })
  if (!mayCheck) return null
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRefresh size={15} stroke={1.6} />}
      loading={check.isPending}
      onClick={() => check.mutate()}
    >
      Run self-test again
    </Button>
  )
}

function Checks({ state: { checks } }: { state: SandboxState }) {
  if (checks.length === 0) return null
  const failed = checks.filter(({ isOk }) => !isOk).length
  return (
    <Panel
      title="Self-test"
      description={
        failed === 0
          ? `A program inside tried to get out in ${checks.length} ways. None worked.`
          : `A program inside tried to get out in ${checks.length} ways. ${failed} worked, so programs are not run.`
      }
    >
      <ul className={styles.checks}>
        {checks.map(({ name, title, isOk, detail }) => (
          <li key={name} data-ok={isOk}>
            {isOk ? (
              <IconCheck size={16} stroke={2} aria-hidden="true" />
            ) : (
              <IconX size={16} stroke={2} aria-hidden="true" />
            )}
            <div>
              <span dir="auto">
                <span className="visually-hidden">{isOk ? 'Passed: ' : 'Failed: '}</span>
                {toSafeLine(title)}
              </span>
              {detail !== undefined && <small dir="auto">{toSafeLine(detail)}</small>}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
