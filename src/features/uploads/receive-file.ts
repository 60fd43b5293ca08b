import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Upload, UploadRequest } from '../../core/uploads/upload.ts'
import type { UploadStore } from '../../core/uploads/upload-store.ts'
import type { UploadBounds } from './config.ts'

export type FileReceiver = (caller: Caller, request: UploadRequest) => Promise<Upload>

/** At most this many files of one tenant are received at once on a node: each holds a connection and a chunk. */
const maxAtOnce = 16
const hourMs = 3_600_000
const mediaTypePattern = /^[\w.+-]{1,60}\/[\w.+-]{1,100}(?:\s*;[\x20-\x7e]{1,100})?$/
const longestName = 255

/** Stores files, within the bounds. */
export function createFileReceiver(uploads: UploadStore, limits: UploadBounds): FileReceiver {
  const { maxBytes, keepHours, tenantBytes } = limits
  const coming = new Map<string, number>()
  return async ({ tenant, principal }, request) => {
    const { name, mediaType } = toFacts(request)
    if (sizeOf(request) > maxBytes) throw tooLarge(maxBytes)
    const leave = enter(coming, tenant)
    try {
      const room = tenantBytes - (await uploads.countBytes(tenant))
      if (sizeOf(request) > room) throw noRoom(tenantBytes)
      const start = { tenant, principal, name, mediaType, keepMs: keepHours * hourMs }
      return await uploads.put(start, bounded(request, { maxBytes, room, tenantBytes }))
    } finally {
      leave()
    }
  }
}

function toFacts({ name = 'file', mediaType }: UploadRequest): { name: string; mediaType: string } {
  if (!mediaTypePattern.test(mediaType)) {
    throw new ToolError('unsupported_media_type', 'The type of the file is not well formed', {
      fix: 'Give one such as text/csv; application/octet-stream where it is not known.',
    })
  }
  // A path is the business of the machine that it came from.
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const clean = last.replaceAll(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '').trim()
  return { name: clean === '' ? 'file' : cut(clean), mediaType }
}

/** The extension shows the file type, so it is kept. */
function cut(name: string): string {
  if (name.length <= longestName) return name
  const ending = /\.[^.]{1,20}$/.exec(name)?.[0] ?? ''
  return name.slice(0, longestName - ending.length) + ending
}

function sizeOf({ bytes = 0, content }: UploadRequest): number {
  return content instanceof Uint8Array ? content.length : bytes
}

interface Bounds {
  maxBytes: number
  room: number
  tenantBytes: number
}

/** The bytes, as long as they are not too many; an end without any is refused as well. */
async function* bounded(request: UploadRequest, bounds: Bounds): AsyncGenerator<Uint8Array> {
  const { content } = request
  let total = 0
  for await (const part of content instanceof Uint8Array ? [content] : content) {
    total += part.length
    if (total > bounds.maxBytes) throw tooLarge(bounds.maxBytes)
    if (total > bounds.room) throw noRoom(bounds.tenantBytes)
    yield part
  }
  if (total === 0) {
    throw new ToolError('invalid_request', 'The file is empty', { fix: 'Send at least one byte.' })
  }
}

function enter(coming: Map<string, number>, tenant: string): () => void {
  const before = coming.get(tenant) ?? 0
  if (before >= maxAtOnce) {
    throw new ToolError('rate_limited', `${maxAtOnce} files come in already`, {
      fix: 'Try again when one of them has finished.',
    })
  }
  coming.set(tenant, before + 1)
  return () => {
    const left = (coming.get(tenant) ?? 1) - 1
    if (left > 0) coming.set(tenant, left)
    else coming.delete(tenant)
  }
}

function tooLarge(maxBytes: number): ToolError {
  return new ToolError('body_too_large', `The file is larger than ${maxBytes} bytes`, {
    fix: 'Send a smaller one, or have uploads.maxBytes raised in the configuration.',
  })
}

function noRoom(tenantBytes: number): ToolError {
  return new ToolError('quota_exceeded', `Uploads of a tenant take ${tenantBytes} bytes in all`, {
    fix: 'Delete some, wait until unused ones go, or have uploads.tenantBytes raised.',
  })
}
