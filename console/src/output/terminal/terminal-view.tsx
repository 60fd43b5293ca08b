import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { formatDuration } from '../../ui/format/format-duration.ts'
import { formatNumber } from '../../ui/format/locale.ts'
import { Tag } from '../../ui/tag.tsx'
import { TextFrame } from '../text/text-frame.tsx'
import { toSafeLine } from '../values/safe-text.ts'
import { parseAnsi } from './parse-ansi.ts'
import { TerminalLines } from './terminal-lines.tsx'
import { useFollowEnd } from './use-follow-end.ts'
import styles from './terminal.module.css'

export interface TerminalViewProps {
  text: string
  label: string
  stderr?: string | undefined
  exitCode?: number | undefined
  signal?: string | undefined
  hasTimedOut?: boolean | undefined
  durationMs?: number | undefined
  isTruncated?: boolean | undefined
  /** The program is still at work: the end stays in sight. */
  isLive?: boolean | undefined
  /** In place of how it ended, which is shown around it. */
  facts?: ReactNode
  actions?: ReactNode
}

/** The output of a program, stdout then stderr, with its colours and how it ended. */
export function TerminalView(props: TerminalViewProps) {
  const { text, label, stderr = '', isLive = false } = props
  const { boxRef, isFollowing, follow } = useFollowEnd(isLive, text + stderr)
  const all = [text, stderr].filter((part) => part !== '').join('\n')
  return (
    <TextFrame
      label={label}
      text={all}
      isWrapped
      boxRef={boxRef}
      facts={props.facts ?? <Facts {...props} />}
      actions={
        <>
          {isLive && !isFollowing && (
            <Button variant="subtle" size="compact-xs" onClick={follow}>
              Jump to end
            </Button>
          )}
          {props.actions}
        </>
      }
    >
      <div className={styles.terminal}>
        <Stream text={text} />
        {stderr !== '' && (
          <div className={styles.stderr}>
            <span className={styles.name}>stderr</span>
            <Stream text={stderr} />
          </div>
        )}
        {all === '' && <p className={styles.nothing}>{isLive ? 'No output yet' : 'No output'}</p>}
      </div>
    </TextFrame>
  )
}

const mostLines = 1000
const mostChars = 200_000

/** The end of a stream, where the result is; the lines before it on request. */
function Stream({ text }: { text: string }) {
  const [isAll, setAll] = useState(false)
  const lines = useMemo(() => parseAnsi(isAll ? text : takeEnd(text)), [text, isAll])
  const shown = isAll ? lines : lines.slice(-mostLines)
  const hidden = lines.length - shown.length
  const isCut = !isAll && (hidden > 0 || text.length > mostChars)
  return (
    <>
      {isCut && (
        <Button variant="subtle" size="compact-xs" onClick={() => setAll(true)}>
          {text.length > mostChars ? 'Show earlier output' : `Show ${say(hidden)}`}
        </Button>
      )}
      <code className={styles.stream}>
        <TerminalLines lines={shown} />
      </code>
    </>
  )
}

function say(hidden: number): string {
  return hidden === 1 ? '1 earlier line' : `${formatNumber(hidden)} earlier lines`
}

/** From the beginning of a line, so that no sequence is cut in two. */
function takeEnd(text: string): string {
  if (text.length <= mostChars) return text
  const start = text.length - mostChars
  return text.slice(text.indexOf('\n', start) + 1 || start)
}

function Facts({
  exitCode,
  signal,
  hasTimedOut,
  durationMs,
  isTruncated,
  isLive,
}: TerminalViewProps) {
  return (
    <>
      {isLive === true && (
        <Tag tone="write" isBusy>
          Running
        </Tag>
      )}
      {hasTimedOut === true && <Tag tone="deny">Timed out</Tag>}
      {exitCode !== undefined && (
        <Tag tone={exitCode === 0 ? 'allow' : 'deny'}>{`Exit code ${exitCode}`}</Tag>
      )}
      {signal !== undefined && signal !== '' && (
        <Tag tone="deny">{`Ended by ${toSafeLine(signal).slice(0, 20)}`}</Tag>
      )}
      {durationMs !== undefined && <span>{formatDuration(durationMs)}</span>}
      {isTruncated === true && <span>Output is truncated</span>}
    </>
  )
}
