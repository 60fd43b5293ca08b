import { isToolError } from '../../../core/kernel/errors.ts'
import type { Workspace } from '../../../core/kernel/context/workspace.ts'
import type { z } from 'zod'
import { unifiedDiff } from '../../../core/kernel/text/diff/unified-diff.ts'
import type { changeFields } from '../file-fields.ts'

/** Longer diffs help neither people nor models. */
const maxDiffChars = 40_000

interface Change {
  path: string
  bytes: number
  /** Undefined for a new file, null for one that was not text. */
  before: string | null | undefined
  after: string
}

export function toChange({ path, bytes, before, after }: Change): z.infer<typeof changeFields> {
  const isNew = before === undefined
  if (before === null) {
    return { path, bytes, isNew, added: 0, removed: 0, diff: '', truncated: true }
  }
  const { text, added, removed } = unifiedDiff({ path, before, after })
  const diff = cutToLine(text, maxDiffChars)
  return { path, bytes, isNew, added, removed, diff, truncated: diff.length < text.length }
}

function cutToLine(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return text.slice(0, text.lastIndexOf('\n', maxChars) + 1)
}

/** Longer texts are replaced without showing what was there. */
const maxShownBytes = 1_048_576

/**
 * The text of a file that is about to be replaced; undefined if there is none, and `null` if it
 * cannot be shown.
 */
export async function readForDiff(
  path: string,
  workspace: Workspace,
): Promise<string | null | undefined> {
  try {
    const { bytes, isPartial } = await workspace.read(path, { maxBytes: maxShownBytes })
    if (isPartial || bytes.includes(0)) return null
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (isToolError(error) && error.code === 'not_found') return undefined
    if (error instanceof TypeError) return null
    throw error
  }
}
