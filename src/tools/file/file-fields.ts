import { z } from 'zod'
import type { ToolLabels } from '../../core/kernel/tool-labels.ts'
import type { WorkspaceEntry } from '../../core/kernel/context/workspace.ts'

/** A path inside the workspace, as models and people write it. */
export const pathField = z.string().min(1).max(4096)

/** The folder to look in; null for the whole workspace. */
export const folderField = pathField
  .nullable()
  .describe('The folder to look in, relative to the workspace; null for all of it')

export const entryFields = z.object({
  path: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  bytes: z.int(),
  modifiedAt: z.string(),
})

/** Without what else a host may know about an entry. */
export function toEntry({ path, kind, bytes, modifiedAt }: WorkspaceEntry): WorkspaceEntry {
  return { path, kind, bytes, modifiedAt }
}

/**
 * Everything in a workspace may have come from elsewhere: a cloned repository, a download, the
 * output of a program. File names count too, because they are text that a model reads.
 */
export const fromWorkspace = { reads: ['untrusted'] } as const satisfies ToolLabels

/** A change that stays in the workspace, which ends with its session. */
export const inWorkspace = { effects: 'local' } as const satisfies ToolLabels

/** Which of a list too long to show is missing, and how to get it. */
export function partialHint(isPartial: boolean, hint: string): string | null {
  return isPartial ? hint : null
}

export const hintField = z
  .string()
  .min(1)
  .nullable()
  .describe('If the list is partial: how to narrow it')

/** The output of tools that change a text file. */
export const changeFields = z.object({
  path: z.string(),
  bytes: z.int().describe('Size of the file now'),
  isNew: z.boolean().describe('The file did not exist before'),
  added: z.int().describe('Lines added'),
  removed: z.int().describe('Lines removed'),
  diff: z.string().describe('The change as a unified diff'),
  truncated: z.boolean().describe('The diff is longer than shown'),
})
