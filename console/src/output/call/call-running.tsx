import { Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { StatusTag } from '../../ui/status-tags.tsx'
import type { CallProgress } from './join-output.ts'
import { OutputView } from '../output-view.tsx'
import { toSafeLine } from '../values/safe-text.ts'
import { previewOf } from '../shape.ts'
import { TextBlock } from '../text/text-block.tsx'
import { useCallOutput } from './use-call-output.ts'
import styles from './call-result.module.css'

interface CallRunningProps {
  call: Api<'CallResult'>
  tool?: Api<'ToolDetail'> | undefined
  actions?: ReactNode
}

/** A call under way: how far it is, and what it has given so far. */
export function CallRunning({ call, tool, actions }: CallRunningProps) {
  const { partial = call.output as JsonValue | undefined, progress } = useCallOutput(call.callId)
  return (
    <div className={styles.running}>
      <div className={styles.card} aria-live="polite">
        <div className={styles.head}>
          <StatusTag status={call.status} />
          <span className={styles.dim}>
            {call.status === 'queued' ? 'It runs as soon as there is capacity.' : say(progress)}
          </span>
        </div>
        <Bar progress={progress} isQueued={call.status === 'queued'} />
        {progress?.text !== undefined && (
          <TextBlock text={progress.text} label="What it says" isMono />
        )}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {partial !== undefined && (
        <OutputView
          value={previewOf(partial) ?? partial}
          tool={tool}
          isPartial
          callId={call.callId}
        />
      )}
    </div>
  )
}

function say(progress: CallProgress | undefined): string {
  const { done, total, message } = progress ?? {}
  const place = done === undefined || total === undefined ? '' : `${done} of ${total}`
  return [place, toSafeLine(message ?? '')].filter(Boolean).join(': ') || 'At work'
}

function Bar({ progress, isQueued }: { progress: CallProgress | undefined; isQueued: boolean }) {
  const { done, total } = progress ?? {}
  if (isQueued) return null
  const isKnown = done !== undefined && total !== undefined && total > 0
  const percent = isKnown ? Math.min(100, Math.max(0, (done / total) * 100)) : 100
  return (
    <Progress
      size="sm"
      value={percent}
      striped={!isKnown}
      animated={!isKnown}
      aria-label={isKnown ? `${Math.round(percent)} % done` : 'At work'}
    />
  )
}
