import type { ErrorCode } from '../../../core/kernel/errors.ts'
import type { ReadOperation, ReadApi } from '../model.ts'

/** The message to a thread that reads a document. */
export interface ReadOrder {
  bytes: Uint8Array
  url?: string
  isPreview?: boolean
}

/** Its answers, in pieces, so that receiving them does not block other work. */
export type ReadAnswer =
  /** The deadline counts from here: loading the modules takes its time once. */
  | { kind: 'begun' }
  | { kind: 'api'; api: Omit<ReadApi, 'operations'> }
  | { kind: 'operations'; operations: ReadOperation[] }
  | { kind: 'done' }
  | { kind: 'failed'; code: ErrorCode; message: string; fix?: string }
