import { api, ask, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { fromAnswer } from '../../api/problem.ts'

export type ArtifactReference = Api<'ArtifactReference'>
export type ArtifactText = Api<'ArtifactText'>

/** The bytes of a large output that are shown at a time. */
export const pageBytes = 250_000
const chunkBytes = 1_048_576

/** A page of an artifact as text, cut between characters. */
export async function readTextPage(
  callId: string,
  artifact: ArtifactReference,
  offset: number,
): Promise<ArtifactText> {
  const page = await read(
    api.GET('/api/v1/calls/{id}/artifact', {
      params: {
        path: { id: callId },
        query: { offset, limit: pageBytes, artifact: artifact.id },
      },
      headers: { accept: 'application/json' },
    }),
  )
  if (typeof page === 'string')
    throw new TypeError('The server sent bytes where text was asked for')
  return page
}

interface Reading {
  signal?: AbortSignal
  onProgress?: (bytes: number) => void
}

/** All bytes of an artifact, a piece at a time. */
export async function readBytes(
  callId: string,
  artifact: ArtifactReference,
  { signal, onProgress }: Reading = {},
): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  while (offset < artifact.bytes) {
    const query = new URLSearchParams({
      offset: String(offset),
      limit: String(chunkBytes),
      artifact: artifact.id,
    })
    const request = new Request(`/api/v1/calls/${encodeURIComponent(callId)}/artifact?${query}`, {
      headers: { accept: 'application/octet-stream' },
      ...(signal !== undefined && { signal }),
    })
    const response = await ask(request)
    if (!response.ok) {
      throw fromAnswer(await response.json().catch(() => undefined), response)
    }
    const piece = new Uint8Array(await response.arrayBuffer())
    // It ended before its time: what there is is all there is.
    if (piece.byteLength === 0) break
    pieces.push(piece)
    offset += piece.byteLength
    onProgress?.(offset)
  }
  return pieces
}

/** All of it as text. */
export async function readText(
  callId: string,
  artifact: ArtifactReference,
  reading: Reading = {},
): Promise<string> {
  const pieces = await readBytes(callId, artifact, reading)
  return new Blob(pieces).text()
}
