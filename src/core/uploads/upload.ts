import { isSamePrincipal } from '../kernel/caller.ts'
import type { Caller, Principal } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import { compilePermissions } from '../policy/permissions.ts'

/** A file that somebody has handed in, for tools to read. */
export interface Upload {
  id: string
  /** What an input names it by: `crib://uploads/upl_…`. */
  uri: string
  name: string
  mediaType: string
  bytes: number
  /** In hex. */
  sha256: string
  /** Whose it is. */
  principal: Principal
  createdAt: string
  /** It goes after this time, unless a call that is still kept has used it. */
  keptUntil: string
}

/** A file to upload: its bytes as they come, or all at once. */
export interface UploadRequest {
  name?: string
  mediaType: string
  /** If known before: a file that is too large is refused at once. */
  bytes?: number
  content: AsyncIterable<Uint8Array> | Uint8Array
}

const uriPattern = /^crib:\/\/uploads\/(upl_[0-9a-f]{32})$/
const idPattern = /^upl_[0-9a-f]{32}$/

/** Where an input finds it. */
export function toUploadUri(id: string): string {
  return `crib://uploads/${id}`
}

/** The id in the address of an upload; undefined for any other text. */
export function parseUploadUri(text: string): string | undefined {
  return uriPattern.exec(text)?.[1]
}

/** Is it the id of an upload, whether there is one or not? */
export function isUploadId(id: string): boolean {
  return idPattern.test(id)
}

/** Whoever handed it in, whatever acts for them, and those who may read the calls of others. */
export function mayReadUpload(caller: Caller, upload: Upload): boolean {
  if (isOwnUpload(caller, upload)) return true
  return compilePermissions(caller.permissions).has('audit.read')
}

/** Of the caller, or of whom it acts for. */
export function isOwnUpload({ principal, onBehalfOf }: Caller, upload: Upload): boolean {
  return [principal, onBehalfOf].some((one) => isSamePrincipal(one, upload.principal))
}

/** Foreign, removed and missing ones are one answer. `path`: where in an input it is named. */
export function uploadNotFound(id: string, path?: string): ToolError {
  const what = JSON.stringify(id.slice(0, 100))
  return new ToolError('not_found', `There is no upload ${what}`, {
    fix: 'It was removed, was kept long enough unused, or is not yours: hand the file in again.',
    ...(path !== undefined && {
      issues: [{ path, message: 'names a file that is not kept any more; choose it again' }],
    }),
  })
}
