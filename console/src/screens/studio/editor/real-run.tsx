import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import type { JsonValue } from '../../../api/json.ts'
import { OutputView } from '../../../output/output-view.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { notifyFailure } from '../../../ui/notify.ts'
import { StatusTag } from '../../../ui/status-tags.tsx'
import { LazyDeciding } from '../../approvals/lazy-deciding.tsx'
import { useApproval, useToolOf } from '../../approvals/use-approvals.ts'
import { isSettled, useCall, useTrace } from '../../call/use-call.ts'
import styles from '../studio.module.css'

interface RealRunProps {
  callId: string
  tool: Api<'ToolDetail'>
}

/** A draft that runs for real: its steps as they end, and a request for each effect. */
export function RealRun({ callId, tool }: RealRunProps) {
  const { call } = useCall(callId)
  const isRunning = call === undefined || !isSettled(call.status)
  const { nested } = useTrace(callId, isRunning)
  const calls = call === undefined ? nested : [call, ...nested]
  const asking = calls.filter(({ waitingFor, status }) => {
    return status === 'waiting' && waitingFor === 'approval'
  })
  return (
    <div aria-live="polite">
      <Group gap={8} mb={8}>
        {call !== undefined && <StatusTag status={call.status} />}
        <Link to="/calls/$id" params={{ id: callId }}>
          Open the call
        </Link>
        {isRunning && <CancelRun callId={callId} />}
      </Group>
      {nested.length > 0 && (
        <ol className={styles.ran} aria-label="Steps of this run">
          {nested.map((one) => (
            <li key={one.callId}>
              <code>{one.stepKey ?? one.tool}</code> <StatusTag status={one.status} />
            </li>
          ))}
        </ol>
      )}
      {isRunning && asking.map((one) => <Ask key={one.callId} callId={one.callId} />)}
      {call?.error !== undefined && (
        <Notice tone="deny" title={call.error.message}>
          {call.error.fix}
        </Notice>
      )}
      {!isRunning && call.output !== undefined && (
        <OutputView value={call.output as JsonValue} tool={tool} />
      )}
    </div>
  )
}

/** The list is without approvals, so the waiting call is read. */
function Ask({ callId }: { callId: string }) {
  const { call } = useCall(callId)
  const id = call?.approvalId
  return id === undefined ? null : <Request id={id} />
}

function Request({ id }: { id: string }) {
  const queryClient = useQueryClient()
  const { data: approval } = useApproval(id)
  const tool = useToolOf(approval?.tool ?? '', approval !== undefined)
  if (approval?.status !== 'pending') return null
  const renew = () => void queryClient.invalidateQueries({ queryKey: ['approvals'] })
  return (
    <section className={styles.request} aria-label={`Approve ${approval.tool}`}>
      <b>
        <code>{approval.tool}</code> waits for you
      </b>
      <LazyDeciding
        key={`${approval.id} ${approval.revision}`}
        approval={approval}
        tool={tool.data}
        onDecided={renew}
        onLate={renew}
        isCompact
      />
    </section>
  )
}

function CancelRun({ callId }: { callId: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      read(api.POST('/api/v1/calls/{id}/cancel', { params: { path: { id: callId } } })),
    onError: notifyFailure,
  })
  return (
    <Button size="compact-xs" variant="default" loading={isPending} onClick={() => mutate()}>
      Cancel
    </Button>
  )
}
