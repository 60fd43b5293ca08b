import { uploadFile } from '../../api/upload-file.ts'
import type { DocumentDraft } from './document-input.tsx'

/** Larger documents do not fit into a request: they are uploaded first. */
const largestText = 500_000

/** A chosen document as requests name it. */
export async function toPlace(
  draft: DocumentDraft,
): Promise<{ url: string } | { document: string } | { upload: string }> {
  if (draft.from === 'url') return { url: draft.url.trim() }
  const file =
    draft.from === 'file' && draft.file !== null
      ? draft.file
      : new File([draft.text], 'openapi.txt', { type: 'text/plain' })
  if (file.size <= largestText) return { document: await file.text() }
  const sending = { onProgress: () => undefined, signal: new AbortController().signal }
  return { upload: (await uploadFile(file, sending)).id }
}
