import { Button, Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconPlayerPlay } from '@tabler/icons-react'
import { memo } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { CallResult } from '../../output/call-result.tsx'
import { OutputView } from '../../output/output-view.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { StatusTag } from '../../ui/meaning.tsx'
import { Panel } from '../../ui/page.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { sayDuration, useNow } from '../../ui/time.tsx'
import { OtherWays } from './code-tab.tsx'
import type { SnippetProps } from './code-tab.tsx'
import type { RunState } from './run-state.ts'
import { toolRuns } from './tool-runs.ts'
import { Waiting } from './waiting.tsx'
import styles from './output-tab.module.css'

interface OutputTabProps {
  tool: Api<'ToolDetail'>
  run: RunState | undefined
  fill: (input: JsonValue) => void
  snippets: SnippetProps
}

/** What comes of a run, from the first progress to the result. */
export function OutputTab({ tool, run, fill, snippets }: OutputTabProps) {
  if (run === undefined) return <NothingYet tool={tool} fill={fill} />
  return (
    <div className={styles.output}>
      <output className={styles.status} aria-live="polite">
        <RunLine run={run} />
      </output>
      <RunBody run={run} tool={tool} />
      {run.result?.status === 'completed' && <OtherWays {...snippets} />}
    </div>
  )
}

function RunLine({ run }: { run: RunState }) {
  const status =
    run.phase === 'settled' ? (run.result?.status ?? 'completed') : lineStatus[run.phase]
  return (
    <>
      {status !== undefined && <StatusTag status={status} />}
      {run.endedAt === undefined ? (
        <Elapsed since={run.beganAt} />
      ) : (
        <span>{sayDuration(run.endedAt - run.beganAt)}</span>
      )}
      {run.callId !== undefined && (
        <>
          <CopyText text={run.callId} />
          <Link to="/calls/$id" params={{ id: run.callId }} className={styles.link}>
            Open the call
          </Link>
        </>
      )}
    </>
  )
}

const lineStatus: Partial<Record<RunState['phase'], string>> = {
  sending: 'requested',
  running: 'running',
  waiting: 'waiting',
}

/** Seconds that go by are not read out. */
function Elapsed({ since }: { since: number }) {
  const now = useNow()
  if (now - since < 1000) return null
  return <span aria-hidden="true">{sayDuration(Math.floor((now - since) / 1000) * 1000)}</span>
}

interface RunBodyProps {
  run: RunState
  tool: Api<'ToolDetail'>
}

/** Not drawn with every key that is typed into the form. */
const RunBody = memo(function RunBody({ run, tool }: RunBodyProps) {
  if (run.result !== undefined) return <CallResult call={run.result} tool={tool} />
  if (run.problem !== undefined) {
    const isOfFields = run.problem.issues.length > 0
    return (
      <Panel>
        {isOfFields ? (
          <Empty title="The input does not fit">
            {run.problem.issues.length === 1
              ? 'One field needs attention; it says why.'
              : `${run.problem.issues.length} fields need attention; each says why.`}
          </Empty>
        ) : (
          <Failed
            error={run.problem}
            {...(run.phase === 'cut' && {
              retry: () => void toolRuns.start(tool.name, run.input),
            })}
          />
        )}
      </Panel>
    )
  }
  return (
    <>
      {run.phase === 'waiting' ? <Waiting run={run} /> : <Working run={run} />}
      {run.missed !== undefined && (
        <p className={styles.missed}>
          {run.missed} pieces came faster than they could be shown. The call has all of them.
        </p>
      )}
      {run.partial !== undefined && <OutputView value={run.partial} tool={tool} isPartial />}
    </>
  )
})

function Working({ run: { progress } }: { run: RunState }) {
  const { done, total, message, text } = progress ?? {}
  const share = done !== undefined && total !== undefined && total > 0 ? (done / total) * 100 : null
  return (
    <Panel>
      <Progress
        aria-label="Progress"
        value={share ?? 100}
        {...(share === null && { striped: true, animated: true })}
        size="sm"
      />
      <p className={styles.message} dir="auto">
        {message ?? 'Running…'}
        {share !== null && (
          <span className={styles.share}>
            {done} of {total}
          </span>
        )}
      </p>
      {text !== undefined && (
        <pre
          className={styles.text}
          tabIndex={0}
          aria-label="What it has written so far"
          dir="auto"
        >
          {text.slice(-20_000)}
        </pre>
      )}
    </Panel>
  )
}

interface NothingYetProps {
  tool: Api<'ToolDetail'>
  fill: (input: JsonValue) => void
}

function NothingYet({ tool, fill }: NothingYetProps) {
  const [example] = tool.examples
  const open = useOpenCall(tool.name)
  return (
    <Panel>
      <Empty
        title="Nothing run yet"
        icon={<IconPlayerPlay size={24} stroke={1.5} aria-hidden="true" />}
        actions={
          <>
            {example !== undefined && (
              <Button variant="default" onClick={() => fill(example.input as JsonValue)}>
                Fill in “{example.label}”
              </Button>
            )}
            {open !== undefined && (
              <Button variant="default" onClick={() => toolRuns.follow(tool.name, open)}>
                Follow the call that is {open.status}
              </Button>
            )}
          </>
        }
      >
        Fill in the form and press Run, or open an earlier call in History.
      </Empty>
    </Panel>
  )
}

/** A call of this tool that has not ended: whoever reloaded the page finds theirs again. */
function useOpenCall(tool: string): Api<'CallRecord'> | undefined {
  const { data } = useQuery({
    queryKey: ['calls', 'open', tool],
    queryFn: () => read(api.GET('/api/v1/calls', { params: { query: { tool, limit: 10 } } })),
  })
  return data?.items.find(({ status }) => ['queued', 'running', 'waiting'].includes(status))
}
