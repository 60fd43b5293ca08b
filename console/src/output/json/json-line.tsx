import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { CSSProperties } from 'react'
import type { JsonRow } from './json-rows.ts'
import { toSafeText } from '../values/safe-text.ts'
import { count } from '../values/labels.ts'
import { cut } from '../values/format-value.ts'
import { formatNumber } from '../../ui/format/locale.ts'
import styles from './json-tree.module.css'

const shortText = 400
const longText = 200_000
/** Deeper lines are not moved further in: they would leave the page. */
const mostIndent = 24

interface JsonLineProps {
  row: JsonRow
  domId: string
  isActive: boolean
  onMore: (row: JsonRow) => void
}

/** One line of a tree of JSON. */
export function JsonLine({ row, domId, isActive, onMore }: JsonLineProps) {
  const { level, isOpen, size, kind } = row
  const canOpen = kind === 'open' && size > 0
  const indent: CSSProperties = { paddingInlineStart: 8 + Math.min(level, mostIndent) * 14 }
  return (
    // The tree has the focus, the keys and the presses; a line is only looked at.
    <div
      id={domId}
      className={styles.row}
      role="treeitem"
      aria-level={level + 1}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-expanded={canOpen ? isOpen : undefined}
      aria-selected={isActive}
      data-active={isActive || undefined}
      data-row={row.id}
      tabIndex={-1}
      style={indent}
    >
      <span className={styles.arrow} aria-hidden="true">
        {canOpen && <IconChevronRight size={12} />}
      </span>
      <Name row={row} />
      {kind === 'more' ? (
        <button type="button" className={styles.more} onClick={() => onMore(row)}>
          {`Show more, ${formatNumber(Number(row.value))} are left`}
        </button>
      ) : (
        <Value row={row} />
      )}
    </div>
  )
}

function Name({ row: { name, isIndex, level } }: { row: JsonRow }) {
  if (name === undefined) return null
  const deep = level > mostIndent ? `(level ${level}) ` : ''
  if (isIndex) return <span className={styles.index}>{`${deep}${name}:`}</span>
  return (
    <span className={styles.key}>
      {deep}
      <bdi>{name === '' ? '""' : toSafeText(cut(name, shortText))}</bdi>:
    </span>
  )
}

function Value({ row }: { row: JsonRow }) {
  const { value, kind, size } = row
  if (kind === 'open') {
    const isList = Array.isArray(value)
    if (size === 0) return <span className={styles.size}>{isList ? '[]' : '{}'}</span>
    const said = isList ? count(size, 'item') : count(size, 'field')
    return <span className={styles.size}>{isList ? `[ ${said} ]` : `{ ${said} }`}</span>
  }
  if (typeof value === 'string') return <Text text={value} />
  const type = value === null ? 'null' : typeof value
  return (
    <span className={styles.value} data-type={type}>
      {JSON.stringify(value)}
    </span>
  )
}

/** A text with its own ends of lines; the beginning of a long one, until all is asked for. */
function Text({ text }: { text: string }) {
  const [isAll, setAll] = useState(false)
  const lines = text.split('\n', 13)
  const short = lines.length > 12 ? `${lines.slice(0, 12).join('\n')}…` : text
  const shown = cut(isAll ? text : short, isAll ? longText : shortText)
  const isCut = shown !== text
  return (
    <span className={styles.value} data-type="string">
      {'"'}
      <bdi>{toSafeText(shown)}</bdi>
      {'" '}
      {isCut && !isAll && (
        <button
          type="button"
          className={styles.more}
          onClick={(event) => {
            event.stopPropagation()
            setAll(true)
          }}
        >
          {`Show all ${formatNumber(text.length)} characters`}
        </button>
      )}
      {isCut && isAll && <em>Truncated. Copy the JSON to get all of it.</em>}
    </span>
  )
}
