import { memo } from 'react'
import type { AnsiLine, Run } from './parse-ansi.ts'
import styles from './terminal.module.css'

const blockLines = 200

/** Lines of a terminal, in blocks that the browser lays out when they come into sight. */
export const TerminalLines = memo(function TerminalLines({
  lines,
}: {
  lines: readonly AnsiLine[]
}) {
  const starts = Array.from(
    { length: Math.ceil(lines.length / blockLines) },
    (_, index) => index * blockLines,
  )
  return (
    <>
      {starts.map((start) => (
        <span key={start} className={styles.block}>
          {lines.slice(start, start + blockLines).map((line, index) => (
            <span key={index} className={styles.line}>
              {line.map((run, place) => (
                <StyledRun key={place} run={run} />
              ))}
              {'\n'}
            </span>
          ))}
        </span>
      ))}
    </>
  )
})

const words = {
  isBold: 'bold',
  isDim: 'dim',
  isItalic: 'italic',
  isUnderlined: 'underlined',
  isStruck: 'struck',
} as const

function StyledRun({ run }: { run: Run }) {
  const { text, isInverse, color, back } = run
  const flags = Object.entries(words).filter(([key]) => run[key as keyof typeof words])
  const behind = isInverse === true ? (color ?? 'white') : back
  if (flags.length === 0 && color === undefined && behind === undefined) return text
  return (
    <span
      data-look={flags.map(([, word]) => word).join(' ') || undefined}
      data-color={behind === undefined ? color : undefined}
      // Text on a coloured ground has the colour that can be read there, so none can be hidden.
      data-back={behind}
    >
      {text}
    </span>
  )
}
