import { isToolError } from '../../../core/kernel/errors.ts'
import type { Workspace } from '../../../core/kernel/context/workspace.ts'

/** Longer texts are replaced without showing what was there. */
const maxBytes = 1_048_576

/**
 * The text of a file that is about to be replaced; undefined if there is none, and `null` if it
 * cannot be shown.
 */
export async function readForDiff(
  path: string,
  workspace: Workspace,
): Promise<string | null | undefined> {
  try {
    const { bytes, isPartial } = await workspace.read(path, { maxBytes })
    if (isPartial || bytes.includes(0)) return null
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (isToolError(error) && error.code === 'not_found') return undefined
    if (error instanceof TypeError) return null
    throw error
  }
}
