import type { Caller } from '../kernel/call.ts'
import type { Upload } from './upload.ts'

/** A file to hand in: its bytes as they come, or all at once. */
export interface UploadRequest {
  name?: string
  mediaType: string
  /** As far as it is known before: what is too large is refused at once. */
  bytes?: number
  content: AsyncIterable<Uint8Array> | Uint8Array
}

/** Files for tools. Their own are for everybody who may call; those of others for `audit.read`. */
export interface UploadsApi {
  /** Needs `tools.call`. Throws body_too_large, quota_exceeded, or invalid_request for no bytes. */
  createUpload(caller: Caller, request: UploadRequest): Promise<Upload>
  findUpload(caller: Caller, id: string): Promise<Upload>
  /** Its bytes, in pieces. */
  readUpload(
    caller: Caller,
    id: string,
  ): Promise<{ upload: Upload; content: AsyncIterable<Uint8Array> }>
  /** Calls that name it find it no more. One of somebody else needs `calls.manage`. */
  deleteUpload(caller: Caller, id: string): Promise<void>
}
