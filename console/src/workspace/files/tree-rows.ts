import type { WorkspaceFile } from '../workspace-types.ts'

/** A line of the tree: an entry, or a note in its place. */
export interface TreeRow {
  id: string
  depth: number
  entry?: WorkspaceFile
  isOpen?: boolean
  note?: 'loading' | 'failed' | 'empty' | 'more'
  /** The folder that a note is about. */
  folder: string
}

export interface FolderState {
  items?: readonly WorkspaceFile[]
  isPartial?: boolean
  hasFailed?: boolean
}

/** The visible lines of the tree, folders before files, each folder opened by itself. */
export function toRows(
  folders: ReadonlyMap<string, FolderState>,
  opened: ReadonlySet<string>,
): TreeRow[] {
  const rows: TreeRow[] = []
  append(rows, { folders, opened, folder: '', depth: 0 })
  return rows
}

interface Place {
  folders: ReadonlyMap<string, FolderState>
  opened: ReadonlySet<string>
  folder: string
  depth: number
}

function append(rows: TreeRow[], place: Place): void {
  const { folders, opened, folder, depth } = place
  const state = folders.get(folder)
  const note = noteOf(state)
  if (note !== undefined) rows.push({ id: `${note}:${folder}`, depth, note, folder })
  for (const entry of sortEntries(state?.items ?? [])) {
    const isFolder = entry.kind === 'folder'
    const isOpen = isFolder && opened.has(entry.path)
    rows.push({ id: entry.path, depth, entry, folder, ...(isFolder && { isOpen }) })
    if (isOpen) append(rows, { folders, opened, folder: entry.path, depth: depth + 1 })
  }
  if (state?.isPartial === true) rows.push({ id: `more:${folder}`, depth, note: 'more', folder })
}

function noteOf(state: FolderState | undefined): TreeRow['note'] {
  if (state?.items !== undefined) return state.items.length === 0 ? 'empty' : undefined
  return state?.hasFailed === true ? 'failed' : 'loading'
}

function sortEntries(items: readonly WorkspaceFile[]): WorkspaceFile[] {
  const rank = ({ kind }: WorkspaceFile) => (kind === 'folder' ? 0 : 1)
  return [...items].sort(
    (one, other) => rank(one) - rank(other) || (one.path < other.path ? -1 : 1),
  )
}
