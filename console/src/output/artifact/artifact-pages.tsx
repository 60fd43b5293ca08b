import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryView } from '../../ui/query-view.tsx'
import { readTextPage } from './artifact-read.ts'
import type { ArtifactReference, ArtifactText } from './artifact-read.ts'
import { LongText } from '../text/long-text.tsx'
import { prettyPart, prettyStart } from './pretty-part.ts'
import type { PrettyState } from './pretty-part.ts'
import { ScrollBox } from '../scroll-box.tsx'
import { formatBytes } from '../../ui/format/format-bytes.ts'
import table from '../table/data-table.module.css'
import styles from '../output.module.css'

interface ArtifactPagesProps {
  callId: string
  artifact: ArtifactReference
  isJson: boolean
}

interface PageStart {
  offset: number
  state: PrettyState
}

/** The text of a large output, 250 KB at a time: one page is in the browser, never all of them. */
export function ArtifactPages({ callId, artifact, isJson }: ArtifactPagesProps) {
  const [starts, setStarts] = useState<readonly PageStart[]>([{ offset: 0, state: prettyStart }])
  const start = starts.at(-1) ?? { offset: 0, state: prettyStart }
  const query = useQuery({
    queryKey: ['artifact', callId, artifact.id, start.offset],
    queryFn: () => readTextPage(callId, artifact, start.offset),
    staleTime: Infinity,
    gcTime: 30_000,
    placeholderData: keepPreviousData,
  })
  return (
    <QueryView query={query}>
      {(page) => (
        <TextPage
          page={page}
          state={isJson ? start.state : undefined}
          isFirst={starts.length === 1}
          onBack={() => setStarts(starts.slice(0, -1))}
          onNext={(next) => setStarts([...starts, next])}
        />
      )}
    </QueryView>
  )
}

interface TextPageProps {
  page: ArtifactText
  /** Of JSON: what it begins within. */
  state: PrettyState | undefined
  isFirst: boolean
  onBack: () => void
  onNext: (start: PageStart) => void
}

function TextPage({ page, state, isFirst, onBack, onNext }: TextPageProps) {
  const { text, offset, next, bytes } = page
  const { pretty, state: after } =
    state === undefined ? { pretty: text, state: prettyStart } : prettyPart(text, state)
  const end = next ?? bytes
  return (
    <div className={table.frame}>
      <ScrollBox
        className={`${styles.text} ${styles.mono} ${styles.padded}`}
        label="A part of the output"
      >
        <LongText text={pretty} />
      </ScrollBox>
      <div className={table.foot}>
        <output>{`${formatBytes(offset)} to ${formatBytes(end)} of ${formatBytes(bytes)}`}</output>
        <span className={table.pager}>
          <Button variant="subtle" size="xs" disabled={isFirst} onClick={onBack}>
            Back
          </Button>
          <Button
            variant="subtle"
            size="xs"
            disabled={next === undefined}
            onClick={() => next !== undefined && onNext({ offset: next, state: after })}
          >
            Next part
          </Button>
        </span>
      </div>
    </div>
  )
}
