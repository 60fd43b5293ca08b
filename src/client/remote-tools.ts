import type { ToolListing, ToolQuery } from '../core/tools/tool-listing.ts'
import type { Page } from '../core/kernel/page.ts'
import type { ToolContract } from '../core/kernel/tool.ts'
import type { Upload, UploadRequest } from '../core/uploads/upload.ts'
import type { CribClient } from './crib-client.ts'

const pageSize = 1000

/** A tool with its schemas and everything else that can be known of it without running it. */
export type RemoteTool = ToolListing & Omit<ToolContract, keyof ToolListing>

/** All tools that the key sees. */
export async function listRemoteTools(
  client: CribClient,
  query: ToolQuery,
): Promise<ToolListing[]> {
  const all: ToolListing[] = []
  let { after } = query
  do {
    const page: Page<ToolListing> = await client.read('/tools', {
      query: { ...query, after, limit: pageSize },
      isRepeatable: true,
    })
    all.push(...page.items)
    // A cursor that does not move would turn the same page for ever.
    if (page.next === after) break
    after = page.next
  } while (after !== undefined)
  return all
}

/** A file as a browser has it (`File`, `Blob`), or its bytes with what they are. */
export type RemoteFile = Blob | Omit<UploadRequest, 'bytes'>

/** Hands a file in. Pieces are gathered first: browsers send no stream over HTTP/1.1. */
export async function uploadRemote(client: CribClient, file: RemoteFile): Promise<Upload> {
  const isBlob = file instanceof Blob
  const named = isBlob && 'name' in file ? String(file.name) : undefined
  const name = isBlob ? named : file.name
  const mediaType = (isBlob ? file.type : file.mediaType) || 'application/octet-stream'
  const bytes = isBlob ? file : await gather(file.content)
  return client.read<Upload>('/uploads', {
    method: 'POST',
    query: { name },
    bytes,
    headers: { 'content-type': mediaType },
  })
}

async function gather(content: UploadRequest['content']): Promise<Blob> {
  if (content instanceof Uint8Array) return new Blob([toPlain(content)])
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of content) pieces.push(toPlain(piece))
  return new Blob(pieces)
}

/** A copy, which no other thread shares. */
function toPlain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
