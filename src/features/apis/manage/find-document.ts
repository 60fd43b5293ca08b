import type { Caller } from '../../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import { readWholeUpload } from '../../../core/uploads/read-upload.ts'
import {
  isUploadId,
  mayReadUpload,
  parseUploadUri,
  uploadNotFound,
} from '../../../core/uploads/upload.ts'
import type { DocumentBytes } from '../api-reader.ts'
import { maxDocumentBytes } from '../document/parse-text.ts'
import type { ApiParts } from '../parts.ts'

/** Where a document is: at an address, in the request, or in a file uploaded before. */
export interface DocumentPlace {
  url?: string | undefined
  document?: string | undefined
  upload?: string | undefined
}

interface DocumentSearch {
  caller: Pick<Caller, 'tenant' | 'principal' | 'permissions'> & Partial<Caller>
  /** The pack of the API, whose network rules apply. */
  pack: string
  /** The address may be private. */
  isPrivate: boolean
}

const fetchMs = 30_000

/** The bytes of a document. */
export async function findDocument(
  parts: Pick<ApiParts, 'network' | 'uploads'>,
  place: DocumentPlace,
  finding: DocumentSearch,
): Promise<DocumentBytes> {
  const given = [place.url, place.document, place.upload].filter((one) => one !== undefined)
  if (given.length !== 1) {
    throw new ToolError('invalid_request', 'Give the document in exactly one way', {
      fix: 'Give its url, its text as document, or the id of an upload.',
    })
  }
  if (place.document !== undefined) return toBytes(new TextEncoder().encode(place.document))
  if (place.upload !== undefined) return readUpload(parts, place.upload, finding)
  return fetchDocument(parts, place.url ?? '', finding)
}

function toBytes(bytes: Uint8Array, url?: string): DocumentBytes {
  if (bytes.length <= maxDocumentBytes) return { bytes, ...(url !== undefined && { url }) }
  throw tooLarge()
}

function tooLarge(): ToolError {
  return new ToolError('body_too_large', 'The document is larger than 20 MB', {
    fix: 'Leave out the paths you do not need, and give the rest as a file.',
  })
}

async function readUpload(
  { uploads }: Pick<ApiParts, 'uploads'>,
  given: string,
  { caller }: DocumentSearch,
): Promise<DocumentBytes> {
  const id = parseUploadUri(given) ?? given
  const found = isUploadId(id) ? await uploads.find(caller.tenant, id) : undefined
  if (found === undefined || !mayReadUpload(caller as Caller, found)) throw uploadNotFound(id)
  if (found.bytes > maxDocumentBytes) throw tooLarge()
  return toBytes(await readWholeUpload(uploads, caller.tenant, found))
}

/** Through the guard: the address is checked when it is dialled, and so is every redirect. */
async function fetchDocument(
  { network }: Pick<ApiParts, 'network'>,
  url: string,
  { caller, pack, isPrivate }: DocumentSearch,
): Promise<DocumentBytes> {
  const { tenant, principal } = caller
  const trusted = isPrivate ? [new URL(url)] : []
  const fetch = network.fetchFor({ scope: { tenant, pack }, principal, trusted })
  const { host } = new URL(url)
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
      timeoutMs: fetchMs,
      maxBytes: maxDocumentBytes,
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new ToolError('upstream_failed', `${host} answered ${response.status}`, {
        retryable: response.status >= 500,
        fix: 'Check the address; a document that needs a sign-in must be uploaded.',
      })
    }
    const bytes = new Uint8Array(await response.arrayBuffer())
    return toBytes(bytes, response.url === '' ? url : response.url)
  } catch (error) {
    if (isToolError(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ToolError('upstream_failed', `${host} could not be reached: ${reason}`, {
      cause: error,
    })
  }
}
