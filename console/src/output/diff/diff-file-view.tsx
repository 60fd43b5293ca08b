import { Button } from '@mantine/core'
import { memo, useMemo, useState } from 'react'
import { formatNumber } from '../../ui/format/locale.ts'
import { Tag } from '../../ui/tag.tsx'
import type { Tone } from '../../ui/tag.tsx'
import { cut } from '../values/format-value.ts'
import { toSafeLine, toSafeText } from '../values/safe-text.ts'
import { Counts } from './diff-counts.tsx'
import { foldLines } from './fold-lines.ts'
import type { DiffFile, DiffHunk, DiffLine } from './parse-diff.ts'
import styles from './diff.module.css'

const shownLines = 400
const longestLine = 2000

const changes: Record<DiffFile['change'], { word: string; tone: Tone } | undefined> = {
  changed: undefined,
  added: { word: 'Added', tone: 'allow' },
  deleted: { word: 'Deleted', tone: 'deny' },
  renamed: { word: 'Renamed', tone: 'write' },
  binary: { word: 'Binary', tone: 'plain' },
}

interface DiffFileProps {
  file: DiffFile
  /** Its name is shown around it. */
  isNamed: boolean
}

/** One file of a diff, which can be closed. */
export const DiffFileView = memo(function DiffFileView({ file, isNamed }: DiffFileProps) {
  if (isNamed) return <Content file={file} />
  const change = changes[file.change]
  return (
    <details className={styles.file} open>
      <summary>
        <span className={styles.path} dir="auto">
          {file.from !== undefined && file.from !== file.path && `${toSafeLine(file.from)} → `}
          {toSafeLine(file.path)}
        </span>
        {change !== undefined && <Tag tone={change.tone}>{change.word}</Tag>}
        <Counts added={file.added} removed={file.removed} />
      </summary>
      <Content file={file} />
    </details>
  )
})

/** Its lines. Of a long one the beginning is shown until all is asked for. */
function Content({ file }: { file: DiffFile }) {
  const [isAll, setAll] = useState(false)
  const count = file.hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  const hunks = isAll ? file.hunks : takeLines(file.hunks, shownLines)
  return (
    <>
      {file.hunks.length === 0 && (
        <p className={styles.nothing}>
          {file.change === 'binary' ? 'The content is not text' : 'The content is the same'}
        </p>
      )}
      <code className={styles.lines}>
        {hunks.map((hunk, index) => (
          <Hunk key={index} hunk={hunk} />
        ))}
      </code>
      {count > shownLines && !isAll && (
        <Button variant="subtle" size="xs" m={4} onClick={() => setAll(true)}>
          {`Show all ${formatNumber(count)} lines`}
        </Button>
      )}
    </>
  )
}

function takeLines(hunks: readonly DiffHunk[], most: number): DiffHunk[] {
  const taken: DiffHunk[] = []
  let left = most
  for (const hunk of hunks) {
    if (left <= 0) break
    taken.push({ ...hunk, lines: hunk.lines.slice(0, left) })
    left -= hunk.lines.length
  }
  return taken
}

function Hunk({ hunk }: { hunk: DiffHunk }) {
  const pieces = useMemo(() => foldLines(hunk.lines), [hunk])
  return (
    <span className={styles.hunk}>
      <span className={styles.place}>{describePlace(hunk)}</span>
      {pieces.map(({ lines, isFolded }, index) =>
        isFolded ? <Folded key={index} lines={lines} /> : <Lines key={index} lines={lines} />,
      )}
    </span>
  )
}

function describePlace({ lines, place }: DiffHunk): string {
  const first = lines[0]
  const line = first?.after ?? first?.before
  const where = line === undefined ? '' : `Line ${formatNumber(line)}`
  return [where, toSafeLine(cut(place, 200))].filter(Boolean).join(' · ')
}

function Folded({ lines }: { lines: readonly DiffLine[] }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <Lines lines={lines} />
  return (
    <button type="button" className={styles.fold} onClick={() => setOpen(true)}>
      {`Show ${formatNumber(lines.length)} unchanged lines`}
    </button>
  )
}

const signs = { same: ' ', added: '+', removed: '−', note: '' } as const

function Lines({ lines }: { lines: readonly DiffLine[] }) {
  return lines.map(({ kind, text, before, after }, index) => (
    <span
      key={index}
      className={styles.line}
      data-kind={kind}
      data-before={before ?? ''}
      data-after={after ?? ''}
    >
      <span className={styles.sign}>{signs[kind]}</span>
      <span className={styles.text}>{`${toSafeText(cut(text, longestLine))}\n`}</span>
    </span>
  ))
}
