import type { PackedWorkspaces, WorkspacesSummary } from '../../../core/backup/backup.ts'

/** The figures about workspaces in a manifest. */
export function toSummary({ trees, noted, notes }: PackedWorkspaces): WorkspacesSummary {
  const all = Object.values(trees)
  const files = all.reduce((sum, tree) => sum + tree.files, 0)
  const bytes = all.reduce((sum, tree) => sum + tree.bytes, 0)
  return { count: all.length, files, bytes, noted, notes }
}
