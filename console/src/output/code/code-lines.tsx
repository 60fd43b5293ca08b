import { memo } from 'react'
import type { Token } from './tokenize.ts'
import styles from './code.module.css'

const blockLines = 100

interface CodeLinesProps {
  lines: readonly string[]
  tokens: readonly Token[][]
  firstLine: number
}

/**
 * Numbered lines, in blocks that the browser lays out when they come into sight. The numbers are drawn
 * by the style sheet, so that they are neither copied nor read aloud with the text.
 */
export function CodeLines({ lines, tokens, firstLine }: CodeLinesProps) {
  const blocks = Array.from({ length: Math.ceil(lines.length / blockLines) }, (_, index) => index)
  const digits = String(firstLine + lines.length - 1).length
  return (
    <code className={styles.lines} style={{ ['--digits' as string]: digits }}>
      {blocks.map((block) => (
        <Block
          key={block}
          lines={lines}
          tokens={tokens}
          from={block * blockLines}
          firstLine={firstLine}
        />
      ))}
    </code>
  )
}

interface BlockProps extends CodeLinesProps {
  from: number
}

const Block = memo(function Block({ lines, tokens, from, firstLine }: BlockProps) {
  return (
    <span className={styles.block}>
      {lines.slice(from, from + blockLines).map((line, index) => (
        <span key={index} className={styles.line} data-line={firstLine + from + index}>
          <span>
            <Line line={line} tokens={tokens[from + index]} />
          </span>
        </span>
      ))}
    </span>
  )
})

function Line({ line, tokens }: { line: string; tokens: readonly Token[] | undefined }) {
  // The end of the line belongs to it: a selection then copies as lines.
  if (tokens === undefined) return <>{`${line}\n`}</>
  return (
    <>
      {tokens.map(({ text, kind }, index) =>
        kind === undefined ? (
          text
        ) : (
          <span key={index} data-kind={kind}>
            {text}
          </span>
        ),
      )}
      {'\n'}
    </>
  )
}
