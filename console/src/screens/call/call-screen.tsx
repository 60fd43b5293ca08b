import { Button } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Api } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { CopyText } from '../../ui/copy.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { StatusTag } from '../../ui/status-tags.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { Loading, LoadingFacts, LoadingTabs } from '../../ui/loading.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { formatDuration, TimeAgo, useNow } from '../../ui/time.tsx'
import { Caller } from '../calls/caller.tsx'
import { ApprovalPanel } from './approval-panel.tsx'
import { CallActions } from './call-actions.tsx'
import { CallFacts } from './call-facts.tsx'
import { callTabs, CallTabs } from './call-tabs.tsx'
import type { CallTab } from './call-tabs.tsx'
import { EventsPanel } from './events-panel.tsx'
import { useSteps } from './steps/use-steps.ts'
import { toTrace } from './trace.ts'
import { TracePanel } from './trace-panel.tsx'
import { isSettled, useCall, useTrace } from './use-call.ts'
import { useTool } from './use-tool.ts'
import { WaitingCard } from './waiting-card.tsx'
import styles from './call.module.css'

const StepsPanel = lazyPart(async () => (await import('./steps/steps-panel.tsx')).StepsPanel)

/** One call, live while it runs. */
export function CallScreen() {
  const { id } = useParams({ from: '/calls/$id' })
  return <OneCall key={id} callId={id} />
}

function OneCall({ callId }: { callId: string }) {
  const { query, call, log, stream } = useCall(callId)
  if (call !== undefined) return <CallView call={call} log={log} stream={stream} />
  if (query.isError && toProblem(query.error).status === 404) return <NoSuchCall />
  return (
    <Page title="Call" description={<Link to="/calls">All calls</Link>}>
      {query.isError ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <LoadingCall />
      )}
    </Page>
  )
}

function LoadingCall() {
  return (
    <div className={styles.page}>
      <div className={styles.main}>
        <Panel title="Trace">
          <Loading rows={1} height={24} />
        </Panel>
        <div>
          <LoadingTabs tabs={callTabs.length} />
          <Loading rows={5} height={52} />
        </div>
      </div>
      <div className={styles.side}>
        <Panel title="Events">
          <Loading rows={4} height={48} />
        </Panel>
        <Panel title="About this call">
          <LoadingFacts rows={8} />
        </Panel>
      </div>
    </div>
  )
}

type CallViewProps = Pick<ReturnType<typeof useCall>, 'log' | 'stream'> & {
  call: Api<'CallRecord'>
}

function CallView({ call, log, stream }: CallViewProps) {
  const tool = useTool(call.tool)
  const isRunning = !isSettled(call.status)
  const { nested, isCut, changedAt } = useTrace(call.callId, isRunning)
  const now = useNow()
  const { tab } = useSearch({ from: '/calls/$id' })
  const navigate = useNavigate({ from: '/calls/$id' })
  return (
    <Page
      title={tool?.title ?? call.tool}
      badges={<StatusTag status={call.status} />}
      description={<HeadLine call={call} />}
      actions={<CallActions call={call} tool={tool} />}
    >
      <div className={styles.page}>
        <div className={styles.main}>
          <WaitingCard call={call} nested={nested} log={log} />
          <ApprovalPanel call={call} tool={tool} log={log} />
          {nested.length > 0 && <Steps call={call} changedAt={changedAt} />}
          <TracePanel
            trace={toTrace({ call, nested, events: log.events, now: isRunning ? now : 0 })}
            isCut={isCut}
          />
          <CallTabs
            call={call}
            tool={tool}
            log={log}
            tab={callTabs.find((one) => one === tab) ?? 'output'}
            onTab={(next: CallTab) =>
              void navigate({ search: next === 'output' ? {} : { tab: next }, replace: true })
            }
          />
        </div>
        <div className={styles.side}>
          <EventsPanel log={log} stream={stream} />
          <CallFacts call={call} />
        </div>
      </div>
    </Page>
  )
}

/** The graph of a composition; nothing for any other call. */
function Steps({ call, changedAt }: { call: Api<'CallRecord'>; changedAt: number }) {
  const steps = useSteps(call.callId, { isRunning: !isSettled(call.status), changedAt })
  if (steps.length === 0) return null
  return (
    <Suspense fallback={null}>
      <StepsPanel call={call} steps={steps} />
    </Suspense>
  )
}

/** The id, the caller, when it started, and how long it took. */
export function HeadLine({ call }: { call: Api<'CallRecord'> }) {
  const now = useNow()
  const end = call.settledAt === undefined ? now : Date.parse(call.settledAt)
  const tookMs = Math.max(0, end - Date.parse(call.requestedAt))
  return (
    <span className={styles.line}>
      <CopyText text={call.callId} />
      <Caller principal={call.principal} {...(call.agent !== undefined && { agent: call.agent })} />
      <span>
        requested <TimeAgo at={call.requestedAt} />
      </span>
      <span>
        {call.settledAt === undefined ? 'for' : 'took'} {formatDuration(tookMs)}
      </span>
    </span>
  )
}

function NoSuchCall() {
  return (
    <Page title="Call not found">
      <Empty
        title="Call not found"
        actions={
          <Button component={Link} to="/calls" variant="default">
            View all calls
          </Button>
        }
      >
        It may have been removed by retention, belong to someone else, or the address may be wrong.
      </Empty>
    </Page>
  )
}
