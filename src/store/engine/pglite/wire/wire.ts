import type { Statement, TextRow, Value } from '../../engine.ts'

export interface QueryResult {
  affectedRows?: number
  rows: Record<string, unknown>[]
}

export interface Replies {
  readonly rows: TextRow[]
  /** The command tag, such as `UPDATE 3`. */
  readonly tag: string
}

/** How statements reach one open database and how its rows are read. */
export interface Wire {
  /** A hot statement: prepared once by its name, values as text or binary, rows as text. */
  run(statement: Statement, values: readonly Value[]): Promise<Replies>
  /** One statement with JavaScript values. */
  query(text: string, values?: readonly unknown[]): Promise<QueryResult>
  /** Any number of statements without values. */
  execute(text: string): Promise<{ rows: Record<string, unknown>[] }[]>
  /** Hot statements wrote rows, so plans made earlier may be bad. */
  noteChange(): void
}
