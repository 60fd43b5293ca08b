import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { uploadOperations } from './operations.ts'
import { createFileReceiver } from './receive-file.ts'

/** Files that callers upload for tools. The pipeline reads those that an input names. */
export const uploadsFeature: Feature = {
  name: 'uploads',
  open({ store: { uploads }, config }) {
    const receive = createFileReceiver(uploads, config.uploads)
    return { operations: openOperations(uploadOperations, { uploads, receive }) }
  },
}
