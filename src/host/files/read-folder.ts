import { type Dirent, opendirSync, type Stats } from 'node:fs'
import type { WorkspaceEntry } from '../../core/kernel/context/workspace.ts'
import { lookAt } from './find-place.ts'
import type { Folder } from './folder.ts'

/** A name in a folder. */
export interface Listed {
  name: string
  kind: WorkspaceEntry['kind']
}

/** A process can put millions of names into a folder; reading them all would hold up the server. */
const mostNames = 50_000

/** The entries of a folder. */
export interface FolderNames {
  names: Listed[]
  /** There are more. */
  isPartial: boolean
  /** There are names that are not UTF-8. They can't be asked for, so they are not shown. */
  unnamed: boolean
}

/** The names of a folder, sorted; only so many if there are too many. */
export function readFolder(folder: Folder): FolderNames {
  // `.` makes it the folder itself, which a descriptor for its place alone can't be read through.
  const opened = opendirSync(folder.at('.'), { bufferSize: 1024 })
  const names: Listed[] = []
  let unnamed = false
  try {
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
      if (names.length === mostNames) return { names: names.sort(byName), isPartial: true, unnamed }
      if (entry.name.includes('\uFFFD')) unnamed = true
      else names.push({ name: entry.name, kind: kindOf(entry, folder) })
    }
    return { names: names.sort(byName), isPartial: false, unnamed }
  } finally {
    opened.closeSync()
  }
}

/** Some disks do not say what a name is. */
function kindOf(entry: Dirent, folder: Folder): Listed['kind'] {
  const kind = toKind(entry)
  if (kind !== 'other' || isKnown(entry)) return kind
  const facts = lookAt(folder, entry.name)
  return facts === undefined ? 'other' : toKind(facts)
}

function isKnown(entry: Dirent): boolean {
  return entry.isFIFO() || entry.isSocket() || entry.isCharacterDevice() || entry.isBlockDevice()
}

export function toKind(facts: Dirent | Stats): Listed['kind'] {
  if (facts.isFile()) return 'file'
  if (facts.isDirectory()) return 'folder'
  return facts.isSymbolicLink() ? 'link' : 'other'
}

/** The facts of an entry, as they are shown. */
export function toEntry(path: string, facts: Stats): WorkspaceEntry {
  const kind = toKind(facts)
  const bytes = kind === 'file' ? facts.size : 0
  return { path, kind, bytes, modifiedAt: new Date(facts.mtimeMs).toISOString() }
}

function byName(one: Listed, other: Listed): number {
  if (one.name === other.name) return 0
  return one.name < other.name ? -1 : 1
}
