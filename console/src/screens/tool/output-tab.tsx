import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useDeferredValue } from 'react'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { withoutSecrets } from '../../form/model/clean.ts'
import { isSameInput } from '../../form/model/same-input.ts'
import type { ToolInputState } from '../../form/tool-input.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { StatusTag } from '../../ui/status-tags.tsx'
import { Loading } from '../../ui/loading.tsx'
import { formatDuration, useNow } from '../../ui/time.tsx'
import type { SnippetProps } from './code/code-tab.tsx'
import { CopyLink } from './copy-link.tsx'
import { OtherWays, RunBody } from './lazy-results.ts'
import { NothingYet } from './nothing-yet.tsx'
import type { RunState } from './run-state.ts'
import styles from './output-tab.module.css'

interface OutputTabProps {
  tool: Api<'ToolDetail'>
  run: RunState | undefined
  input: ToolInputState
  fill: (input: JsonValue) => void
  snippets: SnippetProps
}

/** A run, from its first progress to its result. */
export function OutputTab({ tool, run, input, fill, snippets }: OutputTabProps) {
  if (run === undefined) return <NothingYet tool={tool} input={input} fill={fill} />
  return (
    <div className={styles.output}>
      {run.phase !== 'refused' && <RunLine tool={tool} run={run} />}
      <ChangedSince run={run} input={input} />
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

/** Screen readers announce changes of the status, but not the id and links beside it. */
function RunLine({ tool, run }: { tool: Api<'ToolDetail'>; run: RunState }) {
  const { callId, tookMs } = run
  const status =
    run.phase === 'settled' ? (run.result?.status ?? 'completed') : lineStatus[run.phase]
  return (
    <div className={styles.status}>
      <output className={styles.state} aria-live="polite">
        {status !== undefined && <StatusTag status={status} />}
        {tookMs !== undefined && <span>{formatDuration(tookMs)}</span>}
      </output>
      {status !== undefined && run.phase !== 'settled' && <Elapsed since={run.beganAt} />}
      {callId !== undefined && (
        <>
          <CopyText text={callId} />
          <Link to="/calls/$id" params={{ id: callId }} className={styles.link}>
            Open call
          </Link>
          <CopyLink tool={tool.name} callId={callId} />
        </>
      )}
    </div>
  )
}

const lineStatus: Partial<Record<RunState['phase'], string>> = {
  sending: 'requested',
  running: 'running',
  waiting: 'waiting',
}

/** The seconds are not announced. */
function Elapsed({ since }: { since: number }) {
  const now = useNow()
  if (now - since < 1000) return null
  return <span aria-hidden="true">{formatDuration(Math.floor((now - since) / 1000) * 1000)}</span>
}

/** The result stays while the form changes, with a note that it belongs to other input. */
function ChangedSince({ run, input }: { run: RunState; input: ToolInputState }) {
  const { model } = input.store
  const value = useDeferredValue(input.value)
  const isChanged =
    run.callId !== undefined &&
    !isSameInput(withoutSecrets(model, run.input), withoutSecrets(model, value))
  if (!isChanged) return null
  return (
    <p className={styles.changed}>
      The form has changed since this run.
      <Button
        variant="subtle"
        size="compact-xs"
        onClick={() => input.set(withoutSecrets(model, run.input))}
      >
        Restore input
      </Button>
    </p>
  )
}
