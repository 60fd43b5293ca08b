import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { Cell, ListTable } from '../../ui/list/list-table.tsx'
import { Panel } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { Empty, NotAllowed } from '../../ui/states.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { useNames } from '../../api/use-names.ts'
import styles from './rules.module.css'

type Rule = Api<'ApprovalRule'>

/** Remembered approvals, with a button to revoke each. */
export function Rules() {
  const mayDecide = useCan('approvals.decide')
  const mayRead = useCan('audit.read') || mayDecide
  const query = useQuery({
    queryKey: ['approval-rules'],
    queryFn: () => read(api.GET('/api/v1/approval-rules')),
    enabled: mayRead,
  })
  if (!mayRead)
    return (
      <NotAllowed>You need the permission approvals.decide to see remembered approvals.</NotAllowed>
    )
  return (
    <QueryView query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title="No remembered approvals">
            When you approve a request, you can let similar calls run without approval for a while.
            Those rules are listed here until they expire or are revoked.
          </Empty>
        ) : (
          <Panel isFlush>
            <ListTable
              label="Remembered approvals"
              head={['Runs without approval', 'Caller', 'Approved by', 'Expires', '']}
            >
              {items.map((rule) => (
                <RuleRow key={rule.id} rule={rule} mayRevoke={mayDecide} />
              ))}
            </ListTable>
          </Panel>
        )
      }
    </QueryView>
  )
}

function RuleRow({ rule, mayRevoke }: { rule: Rule; mayRevoke: boolean }) {
  const nameOf = useNames()
  const { agent, principal } = rule
  return (
    <tr>
      <Cell kind="name">
        <span className={styles.calls}>
          <Link to="/approvals" search={{ status: 'decided', id: rule.approvalId }}>
            {rule.tool}
          </Link>
          <span className={styles.which} dir="auto">
            {describeInput(rule.input)}
          </span>
        </span>
      </Cell>
      <Cell label="Caller">
        {agent === undefined ? principal && nameOf(principal) : `agent ${agent}`}
      </Cell>
      <Cell label="Approved by">
        <span>
          {nameOf(rule.createdBy)} <TimeAgo at={rule.createdAt} />
        </span>
      </Cell>
      <Cell label="Expires">
        <TimeAgo at={rule.expiresAt} />
      </Cell>
      <Cell kind="actions">{mayRevoke && <Revoke rule={rule} />}</Cell>
    </tr>
  )
}

function Revoke({ rule: { id, tool } }: { rule: Rule }) {
  const queryClient = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => read(api.DELETE('/api/v1/approval-rules/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      notifySuccess(`Rule revoked: ${tool} needs approval again`)
      return queryClient.invalidateQueries({ queryKey: ['approval-rules'] })
    },
    onError: notifyFailure,
  })
  async function ask() {
    const isSure = await confirm({
      title: 'Revoke this rule?',
      message: `Calls of ${tool} will need approval again, including queued ones.`,
      confirmLabel: 'Revoke',
      isDangerous: true,
    })
    if (isSure) revoke.mutate()
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={revoke.isPending}
      aria-label={`Revoke the rule for ${tool}`}
      onClick={() => void ask()}
    >
      Revoke
    </Button>
  )
}

const longest = 200

function describeInput(input: Rule['input']): string {
  if (input.kind === 'any') return 'with any input'
  const [lead, value] =
    input.kind === 'same'
      ? (['with exactly', input.input] as const)
      : (['where the input has', input.pattern] as const)
  const text = JSON.stringify(value)
  return `${lead} ${text.length > longest ? `${text.slice(0, longest)}…` : text}`
}
