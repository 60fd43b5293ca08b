import { filesCapability } from '../../core/pipeline/capabilities/files.ts'
import { openOperations } from '../../core/operations/run-operation.ts'
import type { UploadStore } from '../../core/uploads/upload-store.ts'
import type { Sweep } from '../../core/work-ports.ts'
import type { Feature } from '../feature.ts'
import { uploadOperations } from './operations.ts'
import { createFileReceiver } from './receive-file.ts'

/** Files that callers upload for tools. The pipeline reads those that an input names. */
export const uploadsFeature: Feature = {
  name: 'uploads',
  open({ store: { uploads }, config }) {
    const receive = createFileReceiver(uploads, config.uploads)
    return {
      operations: openOperations(uploadOperations, { uploads, receive }),
      capabilities: { files: filesCapability(uploads) },
      sweeps: [unusedUploads(uploads, config.uploads.keepHours)],
    }
  },
}

/** Uploaded files that no call has used. */
function unusedUploads(uploads: UploadStore, keepHours: number): Sweep {
  const keepMs = keepHours * 3_600_000
  const run = () => uploads.sweep({ keepMs, limit: 500 })
  return { name: 'unused uploads', everyMs: 600_000, isWoken: false, run }
}
