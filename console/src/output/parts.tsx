import type { ReactNode } from 'react'
import type { JsonValue } from '../api/json.ts'
import { CopyButton } from '../ui/copy.tsx'
import { AudioView } from './media/audio-view.tsx'
import { ContentBlocks } from './media/content-blocks.tsx'
import { FileCard } from './media/file-card.tsx'
import { formatValue, nothing } from './values/format-value.ts'
import { ImageView } from './media/image-view.tsx'
import { JsonTree } from './json/json-tree.tsx'
import { Markdown } from './text/markdown.tsx'
import { PartFrame } from './part-frame.tsx'
import type { Planned } from './plan.ts'
import { RowsPart } from './rows-part.tsx'
import { toSafeAddress, toSafeLine } from './values/safe-text.ts'
import { isArtifact } from './shape.ts'
import type { DrawnKind } from './shape.ts'
import { SummaryCards } from './table/summary-cards.tsx'
import { TextBlock } from './text/text-block.tsx'
import { isDrawnText, TextDrawing } from './text-drawings.tsx'
import { SafeLink } from './text/value-text.tsx'
import styles from './output.module.css'

interface PartProps {
  part: Planned
  isWide: boolean
  isPartial: boolean
  callId: string | undefined
}

const drawnAsRows: ReadonlySet<string> = new Set(['table', 'chart', 'radar', 'ranking'])
/** These bring a frame of their own. */
const framed: ReadonlySet<string> = new Set([
  'summary',
  'json',
  'parts',
  'content',
  'code',
  'terminal',
  'diff',
  'page',
])

/** One part of an output, as planned. */
export function Part({ part, isWide, isPartial, callId }: PartProps) {
  const label = toSafeLine(part.title ?? 'Output')
  if (drawnAsRows.has(part.kind)) return <RowsPart part={part} label={label} isWide={isWide} />
  const draw = isDrawnText(part.kind) ? drawText : (drawings[part.kind] ?? drawJson)
  const drawn = draw({
    value: part.value,
    text: typeof part.value === 'string' ? part.value : '',
    items: Array.isArray(part.value) ? part.value : [],
    part,
    label,
    isPartial,
    callId,
  })
  return (
    <PartFrame part={part} isWide={isWide} actions={actionsOf(part, label)}>
      {framed.has(part.kind) ? drawn : <div className={styles.box}>{drawn}</div>}
    </PartFrame>
  )
}

interface Drawing {
  value: JsonValue
  /** The value where it is a text, or a list. */
  text: string
  items: readonly JsonValue[]
  part: Planned
  label: string
  isPartial: boolean
  callId: string | undefined
}

const drawText = ({ text, label, part, isPartial }: Drawing) => (
  <TextDrawing
    kind={part.kind}
    text={text}
    label={label}
    facts={part.facts ?? {}}
    isPartial={isPartial}
  />
)

const drawJson = ({ value, label }: Drawing) => <JsonTree value={value} label={label} />

const drawings: Partial<Record<DrawnKind, (drawing: Drawing) => ReactNode>> = {
  summary: ({ value, part }) => <SummaryCards value={value} columns={part.columns} />,
  markdown: ({ text, isPartial }) => <Markdown text={text} isStreaming={isPartial} />,
  text: ({ text, label }) => <TextBlock text={text} label={label} />,
  image: ({ text, label }) => <ImageView address={text} alt={label} />,
  audio: ({ text, label }) => <AudioView address={text} label={label} />,
  link: ({ text }) => <SafeLink address={toSafeAddress(text) ?? ''}>{text}</SafeLink>,
  content: ({ items, callId }) => <ContentBlocks blocks={items} callId={callId} />,
  artifact: drawArtifact,
  value: ({ value }) => (
    <p className={styles.value} dir="auto">
      {formatValue(value)}
    </p>
  ),
  empty: ({ value }) => <p className={styles.empty}>{Array.isArray(value) ? 'None' : nothing}</p>,
  list: ({ items }) => (
    <ul className={styles.list}>
      {items.map((item, index) => (
        <li key={index} dir="auto">
          {formatValue(item)}
        </li>
      ))}
    </ul>
  ),
}

/** Where the call is not known, such as in a form, there is nothing to download it from. */
function drawArtifact({ value, label, callId }: Drawing): ReactNode {
  if (callId === undefined || !isArtifact(value)) return <JsonTree value={value} label={label} />
  return <FileCard callId={callId} artifact={value} name={label} />
}

/** A long text is worth a button of its own. */
function actionsOf({ kind, value }: Planned, label: string): ReactNode {
  if (typeof value !== 'string' || (kind !== 'text' && kind !== 'markdown')) return undefined
  return <CopyButton text={value} label={`Copy ${label}`} />
}
