import type { Principal } from '../kernel/call.ts'
import type { Upload } from './upload.ts'

/** The known facts about a file before its bytes arrive. */
export interface UploadStart {
  tenant: string
  principal: Principal
  name: string
  mediaType: string
  /** How long it is kept when no call uses it. */
  keepMs: number
}

/** Uploaded files. Their bytes are stored like artifacts. */
export interface UploadStore {
  /**
   * Writes the pieces as they arrive, holding one at a time. The upload exists once the last is
   * written, with its event in the same transaction; if the stream breaks, nothing is left.
   */
  put(start: UploadStart, pieces: AsyncIterable<Uint8Array>): Promise<Upload>
  find(tenant: string, id: string): Promise<Upload | undefined>
  /** Newest first; with `principals`, only theirs. */
  list(
    tenant: string,
    query: { principals?: readonly Principal[]; after?: string; limit: number },
  ): Promise<{ items: Upload[]; next?: string }>
  /** Bytes from `offset`, at most `limit`; undefined if it was removed. */
  read(
    tenant: string,
    id: string,
    range: { offset: number; limit: number },
  ): Promise<Uint8Array | undefined>
  /** Keeps them for as long as the call is kept. Returns those that exist. */
  use(tenant: string, callId: string, ids: readonly string[]): Promise<string[]>
  /** False where there is none. */
  remove(tenant: string, id: string, by: Principal): Promise<boolean>
  /** How many bytes of a tenant are kept. */
  countBytes(tenant: string): Promise<number>
  /** Removes expired files that no call uses. Returns how many were checked. */
  sweep(options: { keepMs: number; limit: number }): Promise<number>
}
