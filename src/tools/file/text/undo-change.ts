import type { Workspace } from '../../../core/kernel/context/workspace.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { revertDiff } from '../../../core/kernel/text/diff/revert-diff.ts'

/** A recorded change of a text file. */
export interface MadeChange {
  path: string
  isNew: boolean
  diff: string
  /** The diff is not whole, so it can't be reverted. */
  truncated: boolean
}

/**
 * Puts the text back that a change has replaced, or deletes the file that it has created. Throws
 * `conflict` if the file is no longer what the change has made.
 */
export async function undoChange(
  { path, isNew, diff, truncated }: MadeChange,
  workspace: Workspace,
): Promise<{ path: string; isDeleted: boolean }> {
  if (truncated) throw lost(path)
  if (isNew) {
    const { bytes } = await workspace.read(path)
    if (revertDiff(new TextDecoder().decode(bytes), diff) !== '') throw changed(path)
    await workspace.delete(path)
    return { path, isDeleted: true }
  }
  await workspace.edit(path, (text) => {
    const before = revertDiff(text, diff)
    if (before === undefined) throw changed(path)
    return before
  })
  return { path, isDeleted: false }
}

function changed(path: string): ToolError {
  return new ToolError(
    'conflict',
    `${path} has changed since, so its earlier text is not restored`,
    {
      fix: 'Look at the difference in the record of the call, and edit the file.',
    },
  )
}

function lost(path: string): ToolError {
  return new ToolError('conflict', `The earlier text of ${path} was too long to be kept`)
}
