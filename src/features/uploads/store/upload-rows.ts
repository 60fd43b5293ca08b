import { toUploadUri, type Upload } from '../../../core/uploads/upload.ts'
import { parsePrincipal } from '../../../store/log/principal-text.ts'
import type { UploadsTable } from '../tables.ts'

/** A row with the type of its artifact. */
export type UploadRow = UploadsTable & { media_type: string }

/** A row as the port gives it. */
export function toUpload(row: UploadRow): Upload {
  const id = toUploadId(row.id)
  return {
    id,
    uri: toUploadUri(id),
    name: row.name,
    mediaType: row.media_type,
    bytes: row.bytes,
    sha256: row.sha256,
    principal: parsePrincipal(row.principal),
    createdAt: new Date(row.created_ms).toISOString(),
    keptUntil: new Date(row.look_ms).toISOString(),
  }
}

/** From a uuid, with or without dashes. */
export function toUploadId(uuid: string): string {
  return `upl_${uuid.replaceAll('-', '')}`
}

/** The uuid inside an id; undefined for anything else, which then finds nothing. */
export function parseUploadId(id: string): string | undefined {
  return /^upl_([0-9a-f]{32})$/.exec(id)?.[1]
}
