import { closeSync, fstatSync, readlinkSync, type Stats } from 'node:fs'
import type { PackReason } from '../../../core/backup/backup.ts'
import type { PackBounds, PackedFile } from '../../../core/host/workspace-disk.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import { hasErrno } from '../file-error.ts'
import { findPlace, lookAt, type Place } from '../find-place.ts'
import { addressOf, holdIn, openHeld, openRootFolder } from '../folder.ts'
import { readPages, type ReadableFile } from '../open-file.ts'
import type { Listed } from '../read-folder.ts'
import { walkTree } from '../walk-tree.ts'
import { parseWorkspacePath } from '../workspace-path.ts'

/** How much of the bounds is used up by the folders before. */
export interface PackBudget extends PackBounds {
  usedBytes: number
  usedFiles: number
}

interface Item {
  path: string
  kind: Listed['kind']
}

interface Tree {
  items: Item[]
  /** The files with several names, by device and inode: how many of the names are in this tree. */
  names: Map<string, number>
}

/** Everything below a folder, whose paths begin with `prefix`. */
export async function* packTree(
  root: string,
  prefix: string,
  budget: PackBudget,
): AsyncGenerator<PackedFile> {
  const { items, names } = await listTree(root, budget)
  const note = (path: string, reason: PackReason) => budget.onNote(path, reason)
  for (const { path, kind } of items) {
    const place = findAgain(root, path)
    if (typeof place === 'string') note(path, place)
    if (place === undefined || typeof place === 'string') continue
    try {
      const found = kind === 'file' ? openFile(place, { names, budget }) : describe(place, kind)
      if (found === undefined) continue
      if (typeof found === 'string') note(path, found)
      else if ('fd' in found)
        yield* packFile(found, `${prefix}/${path}`, () => note(path, 'changed'))
      else yield { ...found, path: `${prefix}/${path}` }
    } finally {
      place.close()
    }
  }
}

async function listTree(root: string, budget: PackBudget): Promise<Tree> {
  const tree: Tree = { items: [], names: new Map() }
  const folder = openRootFolder(root)
  try {
    const { isPartial, unnamed } = await walkTree(folder, {
      visit({ path, kind, folder: inner, name }) {
        if (budget.usedFiles >= budget.maxFiles) {
          budget.onNote(path, 'too large')
          return false
        }
        budget.usedFiles += 1
        tree.items.push({ path, kind })
        const facts = kind === 'file' ? lookAt(inner, name) : undefined
        if (facts !== undefined && facts.nlink > 1) {
          const inode = inodeOf(facts)
          tree.names.set(inode, (tree.names.get(inode) ?? 0) + 1)
        }
        return true
      },
    })
    if (isPartial || unnamed) budget.onNote('.', 'unnamed')
    return tree
  } finally {
    folder.close()
  }
}

/** Undefined for what was removed or replaced since it was listed; or the reason to leave it out. */
function findAgain(root: string, path: string): Place | PackReason | undefined {
  try {
    return findPlace(root, path, { follows: false })
  } catch (error) {
    // A path that cannot be named cannot be restored either.
    if (isToolError(error)) return isNameable(path) ? undefined : 'unnamed'
    if (hasErrno(error, 'EACCES', 'EPERM')) return 'unreadable'
    if (hasErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

function isNameable(path: string): boolean {
  try {
    parseWorkspacePath(path)
    return true
  } catch {
    return false
  }
}

type Entry = Omit<PackedFile, 'path'>

/** A folder or link; for anything else the reason to leave it out; undefined if it was deleted. */
function describe(
  { folder, name = '.' }: Place,
  kind: Item['kind'],
): Entry | PackReason | undefined {
  const facts = lookAt(folder, name)
  if (facts === undefined) return undefined
  const entry = {
    mode: facts.mode & 0o777,
    modifiedMs: facts.mtimeMs,
    bytes: 0,
    content: nothing(),
  }
  if (kind === 'folder') return facts.isDirectory() ? { ...entry, kind } : undefined
  if (kind !== 'link') return 'special'
  if (!facts.isSymbolicLink()) return undefined
  const target = readlinkSync(addressOf(folder, name), 'utf8')
  return target.includes('\uFFFD') ? 'unnamed' : { ...entry, kind, target }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

interface Rules {
  names: ReadonlyMap<string, number>
  budget: PackBudget
}

/** The file, pinned before it is opened, or the reason for which it is left out. */
function openFile(
  { folder, name = '.' }: Place,
  { names, budget }: Rules,
): ReadableFile | PackReason | undefined {
  try {
    const held = holdIn(folder, name)
    try {
      const facts = fstatSync(held.fd)
      const fault = findFault(facts, names)
      if (fault !== undefined) return fault
      if (budget.usedBytes + facts.size > budget.maxBytes) return 'too large'
      budget.usedBytes += facts.size
      return openReadable(openHeld(held), facts)
    } finally {
      held.close()
    }
  } catch (error) {
    if (hasErrno(error, 'ENOENT', 'ELOOP')) return undefined
    if (hasErrno(error, 'EACCES', 'EPERM')) return 'unreadable'
    throw error
  }
}

function openReadable(fd: number, facts: Stats): ReadableFile {
  return { fd, facts, close: () => closeSync(fd) }
}

/**
 * A file with a name outside of the workspace could be anybody's. Once restored, it would have one
 * name, and tools could read it.
 */
function findFault(facts: Stats, names: ReadonlyMap<string, number>): PackReason | undefined {
  if (!facts.isFile()) return 'special'
  const isShared = facts.nlink > 1 && facts.nlink !== names.get(inodeOf(facts))
  return isShared ? 'linked' : undefined
}

function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}

/** A file that a program writes to has the promised length all the same, and is noted. */
async function* packFile(
  file: ReadableFile,
  path: string,
  onChanged: () => void,
): AsyncGenerator<PackedFile> {
  const { size: bytes, mode, mtimeMs: modifiedMs } = file.facts
  async function* read(): AsyncGenerator<Uint8Array> {
    let left = bytes
    const pages = readPages({ ...file, close: () => undefined })
    for await (const page of pages) {
      left -= page.length
      yield page
    }
    const now = fstatSync(file.fd)
    if (now.mtimeMs !== modifiedMs || now.size !== bytes) onChanged()
    while (left > 0) {
      const zeros = new Uint8Array(Math.min(left, 262_144))
      left -= zeros.length
      yield zeros
    }
  }
  try {
    yield { path, kind: 'file', mode: mode & 0o777, modifiedMs, bytes, content: read() }
  } finally {
    file.close()
  }
}
