import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconPlayerPlay } from '@tabler/icons-react'
import { Suspense } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { CopyText } from '../../ui/copy.tsx'
import { StatusTag } from '../../ui/meaning.tsx'
import { Panel } from '../../ui/page.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Empty } from '../../ui/states.tsx'
import { sayDuration, useNow } from '../../ui/time.tsx'
import type { SnippetProps } from './code-tab.tsx'
import { OtherWays, RunBody } from './late-results.ts'
import type { RunState } from './run-state.ts'
import { toolRuns } from './tool-runs.ts'
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
        {run.phase !== 'refused' && <RunLine run={run} />}
      </output>
      <Suspense fallback={<Loading rows={4} />}>
        <RunBody run={run} tool={tool} />
      </Suspense>
      {run.result?.status === 'completed' && (
        <Suspense>
          <OtherWays {...snippets} />
        </Suspense>
      )}
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
