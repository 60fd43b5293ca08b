import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { Part } from '../ui-parts.ts'

/** Before the id of a stored file, where a message names it. */
export const filePrefix = 'crib-file:'

/** How a message names a file that is stored beside it. */
export function toFileUrl(fileId: string): string {
  return `${filePrefix}${fileId}`
}

/** Notes in the file part of a message where the file is in the workspace. */
export function withWorkspacePath(workspacePath: string) {
  return { providerMetadata: { toolcrib: { workspacePath } } }
}

/** The path in the workspace that is noted in a file part. */
export function workspacePathOf({ providerMetadata }: Part): string | undefined {
  const own = isRecord(providerMetadata) ? providerMetadata['toolcrib'] : undefined
  const path = isRecord(own) ? own['workspacePath'] : undefined
  return typeof path === 'string' ? path : undefined
}
