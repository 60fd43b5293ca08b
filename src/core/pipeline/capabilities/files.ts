import { createCallFiles } from '../../uploads/call-files.ts'
import type { UploadStore } from '../../uploads/upload-store.ts'
import type { Capability } from './capability.ts'

/** `ctx.files`: the files that the input names or contains. */
export function filesCapability(store: Pick<UploadStore, 'read'>): Capability<'files'> {
  return ({ caller, uploads }) => createCallFiles({ tenant: caller.tenant, uploads, store })
}
