import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { formatNumber } from '../../ui/format/locale.ts'
import { CodeView } from '../code/code-view.tsx'
import { TextFrame } from '../text/text-frame.tsx'
import { count } from '../values/labels.ts'
import { Counts } from './diff-counts.tsx'
import { DiffFileView } from './diff-file-view.tsx'
import { parseDiff } from './parse-diff.ts'
import type { DiffFile } from './parse-diff.ts'
import styles from './diff.module.css'

export interface DiffViewProps {
  text: string
  label: string
  /** How many files the whole difference has, if this is a part of it. */
  files?: number | undefined
  isTruncated?: boolean | undefined
  /** It is of one file, whose name is shown around it. */
  isNamed?: boolean
}

const shownFiles = 20
const mostChars = 2_000_000

/** A unified diff, file by file. Text that is not a diff is shown as it is. */
export function DiffView({
  text,
  label,
  files: total,
  isTruncated = false,
  isNamed,
}: DiffViewProps) {
  const files = useMemo(() => parseDiff(text.slice(0, mostChars)), [text])
  const [isAll, setAll] = useState(false)
  if (files.length === 0) {
    if (text.trim() === '') return <p className={styles.nothing}>No differences</p>
    return <CodeView text={text} label={label} language="diff" isTruncated={isTruncated} />
  }
  const shown = isAll ? files : files.slice(0, shownFiles)
  const isCut = isTruncated || text.length > mostChars
  return (
    <TextFrame
      label={label}
      text={text}
      facts={<Facts files={files} total={total} isTruncated={isCut} isNamed={isNamed === true} />}
      foot={
        shown.length < files.length && (
          <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
            {`Show all ${formatNumber(files.length)} files`}
          </Button>
        )
      }
    >
      <div className={styles.files}>
        {shown.map((file, index) => (
          <DiffFileView
            key={`${index}:${file.path}`}
            file={file}
            isNamed={isNamed === true && files.length === 1}
          />
        ))}
      </div>
    </TextFrame>
  )
}

interface FactsProps {
  files: readonly DiffFile[]
  total: number | undefined
  isTruncated: boolean
  isNamed: boolean
}

function Facts({ files, total, isTruncated, isNamed }: FactsProps) {
  const added = files.reduce((sum, file) => sum + file.added, 0)
  const removed = files.reduce((sum, file) => sum + file.removed, 0)
  const isPart = total !== undefined && total > files.length
  return (
    <>
      {!isNamed && (
        <span>
          {isPart
            ? `${formatNumber(files.length)} of ${count(total, 'file')}`
            : count(files.length, 'file')}
        </span>
      )}
      <Counts added={added} removed={removed} />
      {isTruncated && <span>Truncated</span>}
    </>
  )
}
