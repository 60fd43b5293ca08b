import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { formatNumber } from '../../ui/format/locale.ts'
import { toSafeLine, toSafeText } from '../values/safe-text.ts'
import { TextFrame } from '../text/text-frame.tsx'
import { CodeLines } from './code-lines.tsx'
import { describeLines } from './describe-lines.ts'
import { splitLines } from './split-lines.ts'
import { useTokens } from './use-tokens.ts'

export interface CodeViewProps {
  text: string
  label: string
  /** The file's name: shown, and used to guess the language. */
  path?: string | undefined
  /** Something around it shows the name already. */
  isNamed?: boolean
  language?: string | undefined
  /** The number of the first line, if this is a part of a file. */
  firstLine?: number | undefined
  totalLines?: number | undefined
  isTruncated?: boolean | undefined
}

const shownFirst = { lines: 1000, chars: 100_000 }
const mostShown = { lines: 50_000, chars: 2_000_000 }

/** Numbered text, coloured by its language. Of a long one the beginning is shown until all is asked for. */
export function CodeView(props: CodeViewProps) {
  const { text, label, path, language, firstLine = 1, totalLines, isTruncated = false } = props
  const { isNamed = false } = props
  const [isAll, setAll] = useState(false)
  const { lines, isCut, count } = useMemo(() => {
    const split = splitLines(text, isAll ? mostShown : shownFirst)
    return { ...split, lines: split.lines.map(toSafeText) }
  }, [text, isAll])
  const tokens = useTokens(lines, { language, path })
  const range = { from: firstLine, shown: lines.length, count, total: totalLines }
  return (
    <TextFrame
      label={label}
      text={text}
      facts={
        <>
          {path !== undefined && !isNamed && <b dir="auto">{toSafeLine(path)}</b>}
          <span>{describeLines(range)}</span>
          {isTruncated && <span>Truncated</span>}
        </>
      }
      foot={
        isCut &&
        (isAll ? (
          <span>The rest is not shown. Copy it to get all of it.</span>
        ) : (
          <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
            {`Show all ${formatNumber(count)} lines`}
          </Button>
        ))
      }
    >
      <CodeLines lines={lines} tokens={tokens} firstLine={firstLine} />
    </TextFrame>
  )
}
