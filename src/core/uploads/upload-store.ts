import type { Principal } from '../kernel/call.ts'
import type { Upload } from './upload.ts'

/** What is known of a file before its bytes have come. */
export interface UploadStart {
  tenant: string
  principal: Principal
  name: string
  mediaType: string
  /** How long it is kept when no call uses it. */
  keepMs: number
}

/** Files that were handed in. Their bytes lie where artifacts do. */
export interface UploadStore {
  /**
   * Writes the pieces as they come, holding one of them. It is there when the last is written, told in
   * the same transaction; where they break off, nothing is left.
   */
  put(start: UploadStart, pieces: AsyncIterable<Uint8Array>): Promise<Upload>
  find(tenant: string, id: string): Promise<Upload | undefined>
  /** Bytes from `offset`, at most `limit`; undefined where it is gone. */
  read(
    tenant: string,
    id: string,
    range: { offset: number; limit: number },
  ): Promise<Uint8Array | undefined>
  /** From now on they are kept as long as the call is. Returns those that are there. */
  use(tenant: string, callId: string, ids: readonly string[]): Promise<string[]>
  /** False where there is none. */
  remove(tenant: string, id: string, by: Principal): Promise<boolean>
  /** How many bytes of a tenant are kept. */
  countBytes(tenant: string): Promise<number>
  /** Removes what was kept long enough and is of no use to any call. Returns how many were looked at. */
  sweep(options: { keepMs: number; limit: number }): Promise<number>
}
