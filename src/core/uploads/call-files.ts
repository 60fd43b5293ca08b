import { ToolError } from '../kernel/errors.ts'
import type { CallFiles, FileFacts, WholeFile } from '../kernel/context/call-file.ts'
import { parseInlineFile } from './file-text.ts'
import { readUploadPages, readWholeUpload } from './read-upload.ts'
import { parseUploadUri, type Upload, uploadNotFound } from './upload.ts'
import type { UploadStore } from './upload-store.ts'

interface Sources {
  tenant: string
  /** The uploads that the input names. */
  uploads: readonly Upload[]
  store: Pick<UploadStore, 'read'>
}

const normalMaxBytes = 67_108_864

/** The files of one call. */
export function createCallFiles(sources: Sources): CallFiles {
  const { tenant, store } = sources
  return {
    async open(value) {
      const found = findFile(value, sources)
      if (!('upload' in found)) {
        const { mediaType, bytes } = found
        return { mediaType, size: bytes.length, chunks: () => oneChunk(bytes) }
      }
      const { upload } = found
      return { ...factsOf(upload), chunks: () => readUploadPages(store, tenant, upload) }
    },
    async read(value, { maxBytes = normalMaxBytes } = {}) {
      const found = findFile(value, sources)
      const size = 'upload' in found ? found.upload.bytes : found.bytes.length
      if (size > maxBytes) throw tooLarge(size, maxBytes)
      if (!('upload' in found)) return withText({ mediaType: found.mediaType, size }, found.bytes)
      const bytes = await readWholeUpload(store, tenant, found.upload)
      return withText(factsOf(found.upload), bytes)
    },
  }
}

function findFile(
  value: string,
  { uploads }: Sources,
): { upload: Upload } | { mediaType: string; bytes: Uint8Array } {
  const id = parseUploadUri(value)
  if (id !== undefined) {
    const upload = uploads.find((one) => one.id === id)
    if (upload === undefined) throw uploadNotFound(id)
    return { upload }
  }
  const inline = parseInlineFile(value)
  if (inline !== undefined) return inline
  throw new ToolError('invalid_input', 'This is not a file: neither an upload nor base64', {
    fix: 'Pass a data URL, base64, or the address of an upload (crib://uploads/…).',
  })
}

function factsOf({ name, mediaType, bytes }: Upload): FileFacts {
  return { name, mediaType, size: bytes }
}

function withText(facts: FileFacts, bytes: Uint8Array): WholeFile {
  return { ...facts, bytes, text: () => new TextDecoder().decode(bytes) }
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}

function tooLarge(size: number, maxBytes: number): ToolError {
  return new ToolError(
    'invalid_input',
    `The file has ${size} bytes; the tool reads at most ${maxBytes}`,
  )
}
