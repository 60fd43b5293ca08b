import { Progress } from '@mantine/core'
import { memo } from 'react'
import type { Api } from '../../api/client.ts'
import { CallResult } from '../../output/call/call-result.tsx'
import { OutputView } from '../../output/output-view.tsx'
import { Panel } from '../../ui/page.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import type { RunState } from './run-state.ts'
import { toolRuns } from './tool-runs.ts'
import { Waiting } from './waiting.tsx'
import styles from './output-tab.module.css'

interface RunBodyProps {
  run: RunState
  tool: Api<'ToolDetail'>
}

/** Memoized, so that typing in the form does not render it again. */
export const RunBody = memo(function RunBody({ run, tool }: RunBodyProps) {
  if (run.result !== undefined) return <CallResult call={run.result} tool={tool} />
  if (run.problem !== undefined) {
    const isOfFields = run.problem.issues.length > 0
    return (
      <Panel>
        {isOfFields ? (
          <Empty title="Invalid input">
            {run.problem.issues.length === 1
              ? 'One field has an error.'
              : `${run.problem.issues.length} fields have errors.`}
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
        <pre className={styles.text} tabIndex={0} aria-label="Text so far" dir="auto">
          {text.slice(-20_000)}
        </pre>
      )}
    </Panel>
  )
}
