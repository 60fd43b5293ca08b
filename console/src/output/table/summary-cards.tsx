import type { CSSProperties } from 'react'
import type { JsonObject, JsonValue } from '../../api/json.ts'
import { formatValue } from '../values/format-value.ts'
import { toFields } from './table-model.ts'
import type { TableColumn } from './table-model.ts'
import { isObject, own } from '../values/view-types.ts'
import type { ViewColumn } from '../values/view-types.ts'
import { ValueText } from '../text/value-text.tsx'
import styles from './summary-cards.module.css'

interface SummaryCardsProps {
  value: JsonValue
  columns?: readonly ViewColumn[] | undefined
}

/** Values side by side: figures as cards, sentences below them. */
export function SummaryCards({ value, columns }: SummaryCardsProps) {
  const object: JsonObject = isObject(value) ? value : { value }
  const fields = toFields(object, columns).filter(
    // Keys of the view that are not in this output are skipped.
    ({ key }) => Object.hasOwn(object, key),
  )
  const notes = fields.filter((field) => isNote(own(object, field.key), field))
  const cards = fields.filter((field) => !notes.includes(field))
  // The first value is the result in words.
  const isLed = columns?.[0] !== undefined && columns[0].key === notes[0]?.key
  const lead = isLed ? notes.shift() : undefined
  return (
    <div className={styles.summary}>
      {lead !== undefined && (
        <p className={styles.lead}>
          <span className="visually-hidden">{`${lead.label}: `}</span>
          <ValueText value={own(object, lead.key)} column={lead} />
        </p>
      )}
      {cards.length > 0 && (
        <dl className={styles.cards} style={columnsOf(cards.length)}>
          {cards.map((field) => (
            <Card key={field.key} field={field} value={own(object, field.key)} />
          ))}
        </dl>
      )}
      {notes.length > 0 && (
        <dl className={styles.notes}>
          {notes.map((field) => (
            <div key={field.key}>
              <dt>{field.label}</dt>
              <dd>
                <ValueText value={own(object, field.key)} column={field} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

/** Rows of nearly the same length: five are three and two, not four and one. */
function columnsOf(count: number): CSSProperties {
  const rows = Math.ceil(count / 4)
  return { '--columns': Math.max(3, Math.ceil(count / rows)) } as CSSProperties
}

function Card({ field, value }: { field: TableColumn; value: JsonValue | undefined }) {
  const isNothing = value === null || value === undefined || value === ''
  const isFigure = typeof value === 'number'
  const { unit, ...bare } = field
  return (
    <div className={styles.card}>
      <dt dir="auto">{field.label}</dt>
      <dd
        data-size={isFigure || isNothing ? undefined : 'word'}
        data-nothing={isNothing || undefined}
      >
        {isFigure && unit !== undefined ? (
          <Figure said={formatValue(value, field)} bare={formatValue(value, bare)} />
        ) : (
          <ValueText value={isNothing ? null : value} column={field} />
        )}
      </dd>
    </div>
  )
}

/** The unit is less prominent than its figure. */
function Figure({ said, bare }: { said: string; bare: string }) {
  return (
    <>
      {bare}
      <span className={styles.unit}>{said.slice(bare.length).trim()}</span>
    </>
  )
}

/** A sentence is read, not looked up: it gets a line of its own. */
function isNote(value: JsonValue | undefined, column: TableColumn): boolean {
  if (column.format === 'markdown') return true
  if (column.tones !== undefined) return false
  const said = formatValue(value, column)
  return said.length > 40 || said.includes('\n') || (Array.isArray(value) && value.length > 2)
}
