import type { ReactNode } from 'react'
import styles from './list-table.module.css'

interface ListTableProps {
  label: string
  /** Names of the columns; an empty one has no visible name. */
  head: readonly string[]
  children: ReactNode
}

/** A table of facts. On a narrow screen each row becomes a block of its own, with names before the facts. */
export function ListTable({ label, head, children }: ListTableProps) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name === '' ? <span className="visually-hidden">Actions</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

interface CellProps {
  /** The name of its column, shown on a narrow screen. */
  label?: string
  /** `menu`: one small button, in the corner on a narrow screen. */
  kind?: 'name' | 'actions' | 'menu'
  children?: ReactNode
}

/** One fact of a row. */
export function Cell({ label, kind, children }: CellProps) {
  return (
    <td data-label={label} data-kind={kind}>
      {children}
    </td>
  )
}
