import type { TableSpec } from '../../core/kernel/views/table-spec.ts'

export interface UploadsTable {
  /** Also of the artifact that holds its bytes. */
  id: string
  tenant: string
  /** `kind:id` */
  principal: string
  name: string
  bytes: number
  sha256: string
  created_ms: number
  /** When to look whether any call has use for it. */
  look_ms: number
}

export interface UploadUsesTable {
  upload_id: string
  call_id: string
  tenant: string
  used_ms: number
}

/** Files that were handed in. */
export interface UploadTables {
  uploads: UploadsTable
  upload_uses: UploadUsesTable
}

export const uploadTables: readonly TableSpec<keyof UploadTables>[] = [
  { name: 'upload_uses', key: ['upload_id', 'call_id'], page: 1_000 },
  { name: 'uploads', key: ['id'], page: 1_000 },
]
