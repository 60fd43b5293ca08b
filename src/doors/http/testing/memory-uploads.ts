import { ToolError } from '../../../core/kernel/errors.ts'
import type { UploadsApi } from '../../../core/uploads/uploads-api.ts'

/** A crib that takes no files: uploads have rules of their own, and are tested on the real thing. */
export function memoryUploads(): UploadsApi {
  const none = () => Promise.reject(new ToolError('not_found', 'There is no such upload'))
  return { createUpload: none, findUpload: none, readUpload: none, deleteUpload: none }
}
