import { SegmentedControl } from '@mantine/core'
import { useId, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { JsonValue } from '../api/json.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Chart } from './chart.tsx'
import { mayChart, toChart } from './chart-model.ts'
import { ContentBlocks } from './content-blocks.tsx'
import { DataTable } from './data-table.tsx'
import { formatValue, nothing } from './format.ts'
import { ImageView } from './image-view.tsx'
import { JsonTree } from './json-tree.tsx'
import { Markdown } from './markdown.tsx'
import type { Planned } from './plan.ts'
import { Ranking } from './ranking.tsx'
import { toRanking } from './ranking-model.ts'
import { toSafeAddress, toSafeLine } from './safe-text.ts'
import { SummaryCards } from './summary-cards.tsx'
import { TableActions } from './table-actions.tsx'
import { toTable } from './table-model.ts'
import { TextBlock } from './text-block.tsx'
import { SafeLink } from './value-text.tsx'
import styles from './output.module.css'

interface PartProps {
  part: Planned
  isWide: boolean
  isPartial: boolean
  callId: string | undefined
}

const drawnAsRows: ReadonlySet<string> = new Set(['table', 'chart', 'radar', 'ranking'])

/** One part of an output, as planned. */
export function Part({ part, isWide, isPartial, callId }: PartProps) {
  const label = toSafeLine(part.title ?? 'Output')
  if (drawnAsRows.has(part.kind)) return <RowsPart part={part} label={label} isWide={isWide} />
  const isBoxed = part.kind !== 'summary' && part.kind !== 'json' && part.kind !== 'content'
  const drawn = drawValue(part, { label, isPartial, callId })
  return (
    <Frame part={part} isWide={isWide} actions={actionsOf(part, label)}>
      {isBoxed ? <div className={styles.box}>{drawn}</div> : drawn}
    </Frame>
  )
}

interface Drawing {
  label: string
  isPartial: boolean
  callId: string | undefined
}

function drawValue(
  { kind, value, columns }: Planned,
  { label, isPartial, callId }: Drawing,
): ReactNode {
  const text = typeof value === 'string' ? value : ''
  switch (kind) {
    case 'summary':
      return <SummaryCards value={value} columns={columns} />
    case 'markdown':
      return <Markdown text={text} isStreaming={isPartial} />
    case 'text':
      return <TextBlock text={text} label={label} />
    case 'image':
      return <ImageView address={text} alt={label} />
    case 'audio':
      return <audio controls preload="none" src={text} aria-label={label} />
    case 'link':
      return <SafeLink address={toSafeAddress(text) ?? ''}>{text}</SafeLink>
    case 'list':
      return <List items={Array.isArray(value) ? value : []} />
    case 'content':
      return <ContentBlocks blocks={Array.isArray(value) ? value : []} callId={callId} />
    case 'value':
      return <p className={styles.value}>{formatValue(value)}</p>
    case 'empty':
      return <p className={styles.empty}>{Array.isArray(value) ? 'None' : nothing}</p>
    default:
      return <JsonTree value={value} label={label} />
  }
}

function List({ items }: { items: readonly JsonValue[] }) {
  return (
    <ul className={styles.list}>
      {items.map((item, index) => (
        <li key={index} dir="auto">
          {formatValue(item)}
        </li>
      ))}
    </ul>
  )
}

/** A long text is worth a button of its own. */
function actionsOf({ kind, value }: Planned, label: string): ReactNode {
  if (typeof value !== 'string' || (kind !== 'text' && kind !== 'markdown')) return undefined
  return <CopyButton text={value} label={`Copy ${label}`} />
}

type Look = 'table' | 'chart' | 'ranking'

/** Rows: as what was planned, and always as a table too. */
function RowsPart({ part, label, isWide }: { part: Planned; label: string; isWide: boolean }) {
  const { value, columns, chart, ranking, kind } = part
  const [picked, setPicked] = useState<Look>()
  const table = useMemo(() => toTable(value, columns), [value, columns])
  const wanted: Look = kind === 'ranking' ? 'ranking' : kind === 'table' ? 'table' : 'chart'
  const ranked = useMemo(
    () => (wanted === 'ranking' ? toRanking(value, { ranking, columns }) : undefined),
    [wanted, value, ranking, columns],
  )
  const drawn = useMemo(() => {
    if (wanted === 'ranking' || (wanted === 'table' && !mayChart(value, columns))) return undefined
    return toChart(value, { chart, columns, ...(kind === 'radar' && { kind: 'radar' }) })
  }, [wanted, value, chart, columns, kind])
  if (table === undefined) return <JsonTree value={value} label={label} />
  const looks: Look[] = [
    ...(ranked === undefined ? [] : (['ranking'] as const)),
    ...(drawn === undefined ? [] : (['chart'] as const)),
    'table',
  ]
  const look = [picked, wanted].find((one) => one !== undefined && looks.includes(one)) ?? 'table'
  const pick = (
    <LookSwitch label={label} looks={looks} look={look} onChange={(next) => setPicked(next)} />
  )
  return (
    <Frame
      part={part}
      isWide={isWide}
      actions={
        <>
          {looks.length > 1 && pick}
          {look === 'table' && <TableActions table={table} label={label} />}
        </>
      }
    >
      {look === 'table' && <DataTable table={table} label={label} />}
      {look === 'chart' && drawn !== undefined && (
        <div className={styles.box}>
          <Chart model={drawn} label={label} />
        </div>
      )}
      {look === 'ranking' && ranked !== undefined && (
        <div className={styles.box}>
          <Ranking model={ranked} label={label} />
        </div>
      )}
    </Frame>
  )
}

const lookWords: Record<Look, string> = { table: 'Table', chart: 'Chart', ranking: 'Ranking' }

interface LookSwitchProps {
  label: string
  looks: readonly Look[]
  look: Look
  onChange: (look: Look) => void
}

function LookSwitch({ label, looks, look, onChange }: LookSwitchProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={`Show ${label} as`}
      value={look}
      onChange={(next) => onChange(next as Look)}
      data={looks.map((one) => ({ value: one, label: lookWords[one] }))}
    />
  )
}

interface FrameProps {
  part: Planned
  isWide: boolean
  actions?: ReactNode
  children: ReactNode
}

function Frame({ part: { title, description }, isWide, actions, children }: FrameProps) {
  const id = useId()
  const hasTitle = title !== undefined
  return (
    <section
      className={styles.part}
      data-wide={isWide || undefined}
      aria-labelledby={hasTitle ? id : undefined}
    >
      {(hasTitle || actions !== undefined) && (
        <div className={styles.head}>
          <div>
            {hasTitle && (
              <h2 className={styles.title} id={id} dir="auto">
                {toSafeLine(title)}
              </h2>
            )}
            {description !== undefined && <p className={styles.note}>{description}</p>}
          </div>
          <div className={styles.actions}>{actions}</div>
        </div>
      )}
      {children}
    </section>
  )
}
