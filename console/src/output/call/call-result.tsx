import type { ReactNode } from 'react'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { StatusTag } from '../../ui/status-tags.tsx'
import { ArtifactView } from '../artifact/artifact-view.tsx'
import { CallErrorCard } from './call-error-card.tsx'
import { CallRunning } from './call-running.tsx'
import { CallWaiting } from './call-waiting.tsx'
import { OutputView } from '../output-view.tsx'
import { isContent, isCutNotice } from '../shape.ts'
import { isObject } from '../values/view-types.ts'
import { toSafeText } from '../values/safe-text.ts'
import styles from './call-result.module.css'

interface CallResultProps {
  /** A settled or waiting call, or the result of one. */
  call: Api<'CallResult'>
  tool?: Api<'ToolDetail'> | undefined
  /** Beside what is shown: run again, cancel. */
  actions?: ReactNode
}

/**
 * How a call ended: its output (also when it is too large to be sent whole), its error with the fix, or
 * what it waits for.
 */
export function CallResult({ call, tool, actions }: CallResultProps) {
  switch (call.status) {
    case 'completed':
      return <Completed call={call} tool={tool} actions={actions} />
    case 'failed':
    case 'denied':
      return <CallErrorCard call={call} tool={tool} actions={actions} />
    case 'waiting':
      return <CallWaiting call={call} actions={actions} />
    case 'cancelled':
      return (
        <div className={styles.card}>
          <div className={styles.head}>
            <StatusTag status="cancelled" />
            <h2>The call was cancelled</h2>
          </div>
          <p className={styles.dim}>
            {call.error?.message ?? 'Work it had started may already have had an effect.'}
          </p>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </div>
      )
    default:
      return <CallRunning call={call} tool={tool} actions={actions} />
  }
}

type CompletedProps = Pick<CallResultProps, 'call' | 'tool' | 'actions'>

function Completed({ call, tool, actions }: CompletedProps) {
  const { artifact, callId, warnings = [] } = call
  const output = (call.output ?? null) as JsonValue
  const isCut = artifact !== undefined && isReplaced(output)
  return (
    <>
      {warnings.length > 0 && (
        <ul className={styles.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{toSafeText(warning)}</li>
          ))}
        </ul>
      )}
      {artifact !== undefined && <ArtifactView callId={callId} artifact={artifact} tool={tool} />}
      {!isCut && <OutputView value={output} tool={tool} callId={callId} actions={actions} />}
    </>
  )
}

/** Whether the output only refers to an artifact. */
function isReplaced(output: JsonValue): boolean {
  if (isCutText(output) || isCutNotice(output)) return true
  if (isContent(output)) {
    const last = output.$content.at(-1)
    return isObject(last) && isCutText(last['text'])
  }
  return isObject(output) && Object.keys(output).join() === 'artifact'
}

function isCutText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && /… \d+ more bytes hidden, read the artifact$/.test(value)
}
