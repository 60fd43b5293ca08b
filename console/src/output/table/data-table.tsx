import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo, useMemo, useState } from 'react'
import type { JsonValue } from '../../api/json.ts'
import { Pager } from './pager.tsx'
import { ScrollBox } from '../scroll-box.tsx'
import { sortRows } from './table-model.ts'
import type { TableColumn, Sorting, TableModel } from './table-model.ts'
import { isObject, own } from '../values/view-types.ts'
import type { Row } from '../values/view-types.ts'
import { ValueText } from '../text/value-text.tsx'
import { count } from '../values/labels.ts'
import styles from './data-table.module.css'

/** The rows and columns in the page at a time, however large the output. */
const pageRows = 50
const pageColumns = 30

/** Rows of a tool's output: sorted by any column, a page at a time. */
export function DataTable({ table, label }: { table: TableModel; label: string }) {
  const [sorting, setSorting] = useState<Sorting>()
  const [page, setPage] = useState(0)
  const [columnPage, setColumnPage] = useState(0)
  const rows = useMemo(() => sortRows(table.rows, sorting), [table.rows, sorting])
  const lastPage = Math.max(0, Math.ceil(rows.length / pageRows) - 1)
  const at = Math.min(page, lastPage)
  const lastColumns = Math.max(0, Math.ceil(table.columns.length / pageColumns) - 1)
  const columnsAt = Math.min(columnPage, lastColumns)
  const columns = table.columns.slice(columnsAt * pageColumns, (columnsAt + 1) * pageColumns)
  return (
    <div className={styles.frame}>
      <ScrollBox className={styles.scroll} label={label}>
        <table className={styles.table}>
          <caption className="visually-hidden">{`${label}, ${count(rows.length, 'row')}`}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeadCell
                  key={column.key}
                  column={column}
                  sorting={sorting?.key === column.key ? sorting : undefined}
                  onSort={() => {
                    setSorting(nextSorting(column.key, sorting))
                    setPage(0)
                  }}
                />
              ))}
            </tr>
          </thead>
          <Body rows={rows.slice(at * pageRows, (at + 1) * pageRows)} columns={columns} />
        </table>
      </ScrollBox>
      {(lastPage > 0 || lastColumns > 0) && (
        <div className={styles.foot}>
          <Pager noun="row" page={at} size={pageRows} total={rows.length} onChange={setPage} />
          {lastColumns > 0 && (
            <Pager
              noun="column"
              page={columnsAt}
              size={pageColumns}
              total={table.columns.length}
              onChange={setColumnPage}
            />
          )}
        </div>
      )}
    </div>
  )
}

/** First up, then down, then as it came. */
function nextSorting(key: string, before: Sorting | undefined): Sorting | undefined {
  if (before?.key !== key) return { key, isDescending: false }
  return before.isDescending ? undefined : { key, isDescending: true }
}

interface HeadCellProps {
  column: TableColumn
  sorting: Sorting | undefined
  onSort: () => void
}

function HeadCell({ column, sorting, onSort }: HeadCellProps) {
  const direction = sorting?.isDescending ? 'descending' : 'ascending'
  const Arrow = sorting?.isDescending ? IconArrowDown : IconArrowUp
  return (
    <th
      scope="col"
      data-align={column.align}
      aria-sort={sorting === undefined ? undefined : direction}
    >
      <button type="button" className={styles.sort} onClick={onSort} title="Sort by this column">
        <span dir="auto">{column.label}</span>
        <Arrow className={styles.arrow} size={12} aria-hidden="true" />
      </button>
    </th>
  )
}

interface BodyProps {
  rows: readonly Row[]
  columns: readonly TableColumn[]
}

const Body = memo(function Body({ rows, columns }: BodyProps) {
  return (
    <tbody>
      {rows.map((row, index) => (
        <tr key={index}>
          {columns.map((column) => (
            <Cell key={column.key} column={column} value={own(row, column.key)} />
          ))}
        </tr>
      ))}
    </tbody>
  )
})

function Cell({ column, value }: { column: TableColumn; value: JsonValue | undefined }) {
  const isText = typeof value === 'string' && value.length > 40 && column.format !== 'markdown'
  const isTime = column.format === 'date' || column.format === 'datetime'
  return (
    <td data-align={column.align} data-text={isText || undefined} data-time={isTime || undefined}>
      {isText || isObject(value) ? (
        <span className={styles.clamp}>
          <ValueText value={value} column={column} />
        </span>
      ) : (
        <ValueText value={value} column={column} />
      )}
    </td>
  )
}
