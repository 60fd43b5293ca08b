import type { PackedWorkspaces, PackNote } from '../../../core/backup/backup.ts'
import type { PackedEntry, WorkspaceDisk } from '../../../core/host/workspace-disk.ts'
import { packFile } from './pack-backup.ts'
import { toTarHead, toTarPadding } from './tar-entries.ts'
import { createTreeDigest } from './tree-digest.ts'

/** A workspace that the table names. */
export interface NamedWorkspace {
  id: string
  tenant: string
  /** The user of its files, if the server ran as root. */
  uid: number | undefined
}

export interface WorkspaceSource {
  disk: Pick<WorkspaceDisk, 'place' | 'pack'>
  workspaces: Iterable<NamedWorkspace>
  /** Of each workspace, and of each folder in it. */
  maxBytes: number
  maxFiles: number
}

export const workspacesFolder = 'workspaces/'
export const placeName = `${workspacesFolder}place.id`
export const ownerName = 'owner.json'

/** The most notes that a manifest lists. */
const mostNotes = 100

/** Entries of all workspaces, made while they are read. Returns what they were. */
export async function* packWorkspaces(
  source: WorkspaceSource,
): AsyncGenerator<Uint8Array, PackedWorkspaces> {
  const trees: Record<string, PackedWorkspaces['trees'][string]> = {}
  const notes: PackNote[] = []
  let noted = 0
  const onNote = (note: PackNote) => {
    noted += 1
    if (notes.length < mostNotes) notes.push(note)
  }
  const { place } = source.disk
  yield packFile(placeName, Buffer.from(place))
  for (const workspace of source.workspaces) {
    trees[workspace.id] = yield* packOne(workspace, source, onNote)
  }
  return { place, trees, noted, notes }
}

async function* packOne(
  { id, tenant, uid }: NamedWorkspace,
  { disk, maxBytes, maxFiles }: WorkspaceSource,
  onNote: (note: PackNote) => void,
): AsyncGenerator<Uint8Array, PackedWorkspaces['trees'][string]> {
  const prefix = `${workspacesFolder}${id}/`
  // Also of one that was removed in the meantime: its row may be in the copy of the database.
  yield packFile(`${prefix}${ownerName}`, Buffer.from(JSON.stringify({ tenant, uid })))
  const digest = createTreeDigest()
  const entries = disk.pack(id, {
    maxBytes,
    maxFiles,
    onNote: (path, reason) => onNote({ workspace: id, path, reason }),
  })
  for await (const { content, ...entry } of entries) {
    yield toTarHead({ ...entry, name: `${prefix}${toName(entry)}` })
    yield* digest.add(entry, content)
    yield toTarPadding(entry.bytes)
  }
  return digest.end()
}

function toName({ path, kind }: PackedEntry): string {
  return kind === 'folder' ? `${path}/` : path
}
