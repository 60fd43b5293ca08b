import { createBreather } from './breather.ts'
import { hasErrno } from './file-error.ts'
import { type Folder, openFolderIn } from './folder.ts'
import { type Listed, readFolder } from './read-folder.ts'

/** One file or folder on a walk. */
export interface Found extends Listed {
  folder: Folder
  /** Below the folder where the walk began. */
  path: string
}

interface WalkOptions {
  /** False ends the walk. */
  visit(found: Found): boolean | Promise<boolean>
  signal?: AbortSignal | undefined
}

/** Deeper than any path that a caller can name. Each level holds a descriptor. */
const deepest = 64
const mostEntries = 500_000

interface Level {
  folder: Folder
  names: readonly Listed[]
  next: number
  prefix: string
}

interface Walk {
  levels: Level[]
  isPartial: boolean
  unnamed: boolean
}

/**
 * Visits everything below a folder, which stays open: each folder before what is in it, names in
 * order. Links are not followed. Takes turns with other work. `isPartial`: some of it was too deep,
 * too much or closed. `unnamed`: some has a name that is not UTF-8.
 */
export async function walkTree(
  start: Folder,
  { visit, signal }: WalkOptions,
): Promise<Pick<Walk, 'isPartial' | 'unnamed'>> {
  const breather = createBreather(signal)
  const { names, isPartial, unnamed } = readFolder(start)
  const walk: Walk = {
    levels: [{ folder: start, names, next: 0, prefix: '' }],
    isPartial,
    unnamed,
  }
  try {
    for (let seen = 0; seen < mostEntries; seen += 1) {
      const found = nextOf(walk)
      if (found === undefined) return walk
      const going = visit(found)
      if (!(typeof going === 'boolean' ? going : await going)) return walk
      if (found.kind === 'folder') enter(walk, found)
      await breather.pause()
    }
    return { ...walk, isPartial: true }
  } finally {
    // The first one belongs to the caller.
    for (const { folder } of walk.levels.slice(1)) folder.close()
  }
}

/** The next name; leaves the folders that have none any more. */
function nextOf({ levels }: Walk): Found | undefined {
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const listed = level.names[level.next]
    level.next += 1
    if (listed !== undefined) {
      return { ...listed, folder: level.folder, path: level.prefix + listed.name }
    }
    if (levels.length === 1) return undefined
    levels.pop()
    level.folder.close()
  }
  return undefined
}

/** Skips a folder that was deleted or replaced. */
function enter(walk: Walk, { folder, name, path }: Found): void {
  if (walk.levels.length === deepest) {
    walk.isPartial = true
    return
  }
  let opened: Folder | undefined
  try {
    opened = openFolderIn(folder, name)
    const { names, isPartial, unnamed } = readFolder(opened)
    walk.isPartial ||= isPartial
    walk.unnamed ||= unnamed
    walk.levels.push({ folder: opened, names, next: 0, prefix: `${path}/` })
  } catch (error) {
    opened?.close()
    if (hasErrno(error, 'EACCES', 'EPERM')) walk.isPartial = true
    else if (!hasErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error
  }
}
