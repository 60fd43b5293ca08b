import type { Upload } from './upload.ts'
import type { UploadStore } from './upload-store.ts'
import { uploadNotFound } from './upload.ts'

const pageBytes = 1_048_576

/** The bytes of an upload, a page at a time. Throws not_found if it is removed in the meantime. */
export async function* readUploadPages(
  uploads: Pick<UploadStore, 'read'>,
  tenant: string,
  { id, bytes }: Pick<Upload, 'id' | 'bytes'>,
): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes;) {
    const page = await uploads.read(tenant, id, { offset, limit: pageBytes })
    if (page === undefined || page.length === 0) throw uploadNotFound(id)
    offset += page.length
    yield page
  }
}

/** All of them at once. */
export async function readWholeUpload(
  uploads: Pick<UploadStore, 'read'>,
  tenant: string,
  upload: Pick<Upload, 'id' | 'bytes'>,
): Promise<Uint8Array> {
  const whole = new Uint8Array(upload.bytes)
  let filled = 0
  for await (const page of readUploadPages(uploads, tenant, upload)) {
    whole.set(page, filled)
    filled += page.length
  }
  return whole
}
