import { isSamePrincipal } from '../kernel/caller.ts'
import type { Caller, Principal } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import { compilePermissions } from '../policy/permissions.ts'

/** A file that was uploaded for tools to read. */
export interface Upload {
  id: string
  /** Its address in an input: `crib://uploads/upl_…`. */
  uri: string
  name: string
  mediaType: string
  bytes: number
  /** In hex. */
  sha256: string
  /** Its owner. */
  principal: Principal
  createdAt: string
  /** It is removed after this time, unless a stored call has used it. */
  keptUntil: string
}

/** A file to upload: its bytes as a stream, or all at once. */
export interface UploadRequest {
  name?: string
  mediaType: string
  /** If known in advance: a file that is too large is refused at once. */
  bytes?: number
  content: AsyncIterable<Uint8Array> | Uint8Array
}

const uriPattern = /^crib:\/\/uploads\/(upl_[0-9a-f]{32})$/
const idPattern = /^upl_[0-9a-f]{32}$/

/** Its address for an input. */
export function toUploadUri(id: string): string {
  return `crib://uploads/${id}`
}

/** The id in the address of an upload; undefined for any other text. */
export function parseUploadUri(text: string): string | undefined {
  return uriPattern.exec(text)?.[1]
}

/** True for a well-formed upload id, whether it exists or not. */
export function isUploadId(id: string): boolean {
  return idPattern.test(id)
}

/**
 * Readable by its owner, by callers acting for the owner, and by those who may read the calls of
 * others.
 */
export function mayReadUpload(caller: Caller, upload: Upload): boolean {
  if (isOwnUpload(caller, upload)) return true
  return compilePermissions(caller.permissions).has('audit.read')
}

/** True if it belongs to the caller, or to the principal it acts for. */
export function isOwnUpload({ principal, onBehalfOf }: Caller, upload: Upload): boolean {
  return [principal, onBehalfOf].some((one) => isSamePrincipal(one, upload.principal))
}

/** The same answer for foreign, removed and missing ones. `path`: where an input names it. */
export function uploadNotFound(id: string, path?: string): ToolError {
  const what = JSON.stringify(id.slice(0, 100))
  return new ToolError('not_found', `There is no upload ${what}`, {
    fix: 'It was removed, has expired, or is not yours: upload the file again.',
    ...(path !== undefined && {
      issues: [{ path, message: 'names a file that is no longer available; choose it again' }],
    }),
  })
}
