import { lstatSync, mkdirSync, readlinkSync, type Stats } from 'node:fs'
import { hasErrno, notFound } from './file-error.ts'
import { type Folder, openFolderIn, openRootFolder } from './folder.ts'
import { badPath, parseWorkspacePath } from './workspace-path.ts'

/** Where a path leads: a name in a folder that is held open. */
export interface Place {
  folder: Folder
  /** Undefined for the folder itself: the workspace's root, or where `..` or a link to a folder led. */
  name: string | undefined
  /** Without links and `..`. */
  path: string
  close(): void
}

/** A place that was found from the root. */
export interface WalkedPlace extends Place {
  /** Removes the folders that were made on the way and are still empty. Call it before `close`. */
  undo(): void
}

export interface FindOptions {
  /** Follow a link at the end. Without it, the place is the link itself. */
  follows: boolean
  /** Called for every missing folder above the last part; without it they are `not_found`. */
  makeFolder?: (folder: Folder, name: string) => void
  /** Takes back what `makeFolder` has made. */
  unmakeFolder?: (folder: Folder, name: string) => void
}

const mostLinks = 40

/**
 * Walks a path from the root, holding every folder open. Links are resolved here, part by part, so
 * that no step leaves the root, even if a process swaps folders at the same time.
 */
export function findPlace(root: string, path: string, options: FindOptions): WalkedPlace {
  const { parts, isFolder } = parseWorkspacePath(path)
  const walk = startWalk(root, path)
  walk.undo = () => undoMade(walk, options)
  try {
    walk.rest.push(...parts.toReversed())
    // A slash at the end means what a link there leads to, never the link.
    const follows = options.follows || isFolder
    for (let part = walk.rest.pop(); part !== undefined; part = walk.rest.pop()) {
      if (walk.rest.length > 0 || part === '..') step(walk, part, options)
      else if (!follows || !followEnd(walk, part)) return end(walk, part, isFolder)
    }
    return end(walk, undefined, isFolder)
  } catch (error) {
    walk.undo()
    closeAll(walk.folders)
    throw error
  }
}

/** Makes a folder, or takes the one that somebody has just made. */
export function ensureFolder(folder: Folder, name: string): void {
  try {
    mkdirSync(folder.at(name), 0o755)
  } catch (error) {
    if (!hasErrno(error, 'EEXIST')) throw error
  }
}

/** The facts of a name, of a link those of the link; undefined if there is none. */
export function lookAt(folder: Folder, name: string): Stats | undefined {
  return lstatSync(folder.at(name), { throwIfNoEntry: false })
}

interface Walk {
  asked: string
  /** From the root to where the walk is. */
  folders: Folder[]
  names: string[]
  /** The parts that are left, the next one last. */
  rest: string[]
  links: number
  /** The folders made on the way, the outermost first. */
  made: { folder: Folder; name: string }[]
  undo(): void
}

function startWalk(root: string, asked: string): Walk {
  return {
    asked,
    folders: [openRootFolder(root)],
    names: [],
    rest: [],
    links: 0,
    made: [],
    undo() {},
  }
}

function end(
  { folders, names, asked, undo }: Walk,
  name: string | undefined,
  isFolder: boolean,
): WalkedPlace {
  const folder = folders.at(-1)
  if (folder === undefined) throw new Error('A walk has no root')
  if (isFolder && name !== undefined && lookAt(folder, name)?.isDirectory() === false) {
    throw badPath(asked, 'ends in a slash, but is not a folder')
  }
  const path = (name === undefined ? names : [...names, name]).join('/')
  return { folder, name, path, undo, close: () => closeAll(folders) }
}

function step(walk: Walk, part: string, { makeFolder }: FindOptions): void {
  const { folders, names, asked, made } = walk
  const folder = folders.at(-1)
  if (folder === undefined) throw new Error('A walk has no root')
  if (part === '..') {
    if (names.length === 0) throw badPath(asked, 'leads out of the workspace')
    names.pop()
    folders.pop()?.close()
    return
  }
  try {
    folders.push(openFolderIn(folder, part))
    names.push(part)
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) {
      if (makeFolder === undefined) throw notFound(asked)
      makeFolder(folder, part)
      made.push({ folder, name: part })
      folders.push(openFolderIn(folder, part))
      names.push(part)
    } else if (hasErrno(error, 'ENOTDIR', 'ELOOP')) expandLink(walk, folder, part)
    else throw error
  }
}

function undoMade({ made, folders }: Walk, { unmakeFolder }: FindOptions): void {
  for (const { folder, name } of made.splice(0).toReversed()) {
    // After `..` the handle of a folder is closed already.
    if (folders.includes(folder)) unmakeFolder?.(folder, name)
  }
}

/** False if the last part is not a link. */
function followEnd(walk: Walk, part: string): boolean {
  const folder = walk.folders.at(-1)
  if (folder === undefined || lookAt(folder, part)?.isSymbolicLink() !== true) return false
  expandLink(walk, folder, part)
  return true
}

/** Puts the target of a link in front of the parts that are left. */
function expandLink(walk: Walk, folder: Folder, part: string): void {
  const target = readLink(folder, part)
  if (target === undefined) throw badPath(walk.asked, 'goes through something that is not a folder')
  walk.links += 1
  if (walk.links > mostLinks) throw badPath(walk.asked, `goes through more than ${mostLinks} links`)
  if (target.startsWith('/')) throw badPath(walk.asked, 'goes through a link to an absolute path')
  walk.rest.push(...parseWorkspacePath(target).parts.toReversed())
}

function readLink(folder: Folder, name: string): string | undefined {
  try {
    return readlinkSync(folder.at(name))
  } catch (error) {
    if (hasErrno(error, 'EINVAL', 'ENOENT')) return undefined
    throw error
  }
}

function closeAll(folders: readonly Folder[]): void {
  for (const folder of folders) folder.close()
}
