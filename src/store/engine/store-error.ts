import { ToolError, isToolError } from '../../core/kernel/errors.ts'

/** PostgreSQL's five-character code of an error, where it has one. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** True when one row is to blame (bad value, broken constraint, too large): its neighbours may still be written. */
export function isRowFault(error: unknown): boolean {
  const state = sqlState(error)
  return state !== undefined && /^(22|23|54)/.test(state)
}

/** True when the same statement may succeed if sent again: deadlock or serialisation failure, nothing was written. */
export function isTransient(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40P01' || state === '40001'
}

/**
 * A commit after an error is a rollback that reports no error: the caller continued and believes
 * that everything is written.
 */
export function rolledBack(): Error {
  const error = new Error('The transaction was rolled back: a statement of it had failed')
  return Object.assign(error, { code: '25P02' })
}

/** True when no connection came about, so that the statement never left: certainly nothing was written. */
export function isUnsent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnsent)
  if (!(error instanceof Error)) return false
  const isRefused = (error as { syscall?: unknown }).syscall === 'connect'
  const isStarting = sqlState(error) === '57P03'
  return isRefused || isStarting || error.message === 'timeout exceeded when trying to connect'
}

/**
 * The reason for a failure. Every holder of a key may read it, so messages of the system and the
 * server about a connection (addresses, users) are reduced to their code; the cause has the rest.
 */
function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  const isConnection = typeof code === 'string' && /^(?:E[A-Z_]{3,}|28...|3D...)$/.test(code)
  if (isConnection) return code
  return error instanceof Error ? error.message : String(error)
}

/** For data that no further try will bring back. */
export function damaged(message: string, cause?: unknown): ToolError {
  return new ToolError('data_damaged', message, {
    fix: 'Keep the folder as it is and restore a backup into another one: toolcrib restore FILE --data DIR.',
    cause,
  })
}

/** Pages or index entries that are not what was written. */
export function isCorrupted(error: unknown): boolean {
  const state = sqlState(error)
  return state === 'XX001' || state === 'XX002'
}

/** The same, or missing files. */
function isDamage(error: unknown): boolean {
  return isCorrupted(error) || sqlState(error) === '58P01'
}

/** The error that callers get when the database refuses. */
export function toStoreError(error: unknown): ToolError {
  if (isToolError(error)) return error
  const message = error instanceof Error ? error.message : String(error)
  const state = sqlState(error)
  if (state !== undefined && state.startsWith('53')) {
    return new ToolError('record_failed', `The store is out of room: ${message}`, {
      fix: 'Free disk space or raise the limits of the database, then try again.',
      cause: error,
    })
  }
  if (isDamage(error)) return damaged(`The database is damaged: ${message}`, error)
  if (isRowFault(error)) {
    return new ToolError('record_failed', `The store refused the record: ${message}`, {
      retryable: false,
      cause: error,
    })
  }
  return new ToolError('store_unavailable', `The store did not answer: ${reasonOf(error)}`, {
    fix: 'Check that the database runs and can be reached (toolcrib doctor), then try again.',
    cause: error,
  })
}
