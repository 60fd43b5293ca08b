import { renameSync, rmdirSync, type Stats, unlinkSync } from 'node:fs'
import type { Workspace, WorkspaceEntry } from '../../core/kernel/context/workspace.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { createUuid } from '../../core/kernel/ids.ts'
import { keepTree } from './baseline/keep-tree.ts'
import { exists, hasErrno, notFound, withFileErrors } from './file-error.ts'
import { findPlace, type FindOptions, lookAt, type Place } from './find-place.ts'
import { openRootFolder } from './folder.ts'
import { folderMaker, type Ground, makingFolders } from './ground.ts'
import { openFile, readPart } from './open-file.ts'
import { removeFrom } from './remove-tree.ts'
import { commitDraft, draftFile, findReplaced } from './replace-file.ts'
import { toEntry } from './read-folder.ts'
import { badPath, quotePath } from './workspace-path.ts'

type Writing = Pick<Workspace, 'write' | 'edit' | 'makeFolder' | 'move' | 'delete'>

/** The functions that change something. */
export function writingFiles(ground: Ground): Writing {
  const change = <T>(path: string, step: () => Promise<T>) =>
    withFileErrors(path, async () => {
      ground.workspace.assertWritable()
      return ground.lock(step)
    })
  return {
    write: (path, content, options = {}) =>
      change(path, () => writeFile(ground, { path, content: toBytes(content), ...options })),
    edit: (path, edit) => change(path, () => editFile(ground, path, edit)),
    makeFolder: (path) => change(path, async () => makeFolder(ground, path)),
    move: (from, to, options = {}) =>
      change(from, () => move(ground, { from, to, mayReplace: options.overwrite === true })),
    delete: (path, options = {}) =>
      change(path, () => remove(ground, path, options.recursive === true)),
  }
}

interface WriteRequest {
  path: string
  content: Uint8Array
  overwrite?: boolean
  ifContent?: string | Uint8Array
}

/** Replaces a file as a whole. Call it in the lock. */
export async function writeFile(ground: Ground, request: WriteRequest): Promise<WorkspaceEntry> {
  const { path, content, overwrite = true, ifContent } = request
  const draft = await draftFile(ground.scratch, content)
  try {
    return await withPlace(ground, path, async (place) => {
      const replaced = findReplaced(place, path)
      if (replaced !== undefined && !overwrite) throw exists(path)
      if (ifContent !== undefined) await assertContent(place, path, toBytes(ifContent))
      await ground.baseline.keep(place, replaced)
      return reserved(ground, { replaced, bytes: content.length }, () => {
        commitDraft(draft, { place, asked: path, mayReplace: overwrite })
        return entryOf(place)
      })
    })
  } finally {
    draft.discard()
  }
}

interface Growth {
  replaced: Stats | undefined
  bytes: number
}

/** Counts what a step adds before it, and takes it back if the step fails. */
export function reserved<T>({ workspace }: Ground, { replaced, bytes }: Growth, step: () => T): T {
  const more = {
    bytes: bytes - (replaced?.size ?? 0),
    files: replaced === undefined ? 1 : 0,
  }
  workspace.allowance.reserve(more)
  try {
    return step()
  } catch (error) {
    workspace.allowance.release(more)
    throw error
  }
}

/** Finds the place of a file that is to be written, and makes the folders above it. */
export async function withPlace<T>(
  ground: Ground,
  path: string,
  step: (place: Place) => Promise<T>,
): Promise<T> {
  const place = findPlace(ground.root, path, { follows: true, ...makingFolders(ground) })
  try {
    return await step(place)
  } catch (error) {
    place.undo()
    throw error
  } finally {
    place.close()
  }
}

export function entryOf(place: Place): WorkspaceEntry {
  const facts = lookAt(place.folder, place.name ?? '.')
  if (facts === undefined) throw notFound(place.path)
  return toEntry(place.path, facts)
}

const longestEdit = 16_777_216
const mostTries = 5

async function editFile(
  ground: Ground,
  path: string,
  edit: (text: string) => string,
): Promise<WorkspaceEntry> {
  for (let tries = 1; ; tries += 1) {
    const before = await readText(ground.root, path)
    const after = edit(before)
    try {
      return await writeFile(ground, { path, content: toBytes(after), ifContent: before })
    } catch (error) {
      // Only a process in the sandbox can have been faster: our own changes wait for the lock.
      const isRace = error instanceof ToolError && error.code === 'conflict'
      if (!isRace || tries === mostTries) throw error
    }
  }
}

async function readText(root: string, path: string): Promise<string> {
  const place = findPlace(root, path, { follows: true })
  try {
    const bytes = await readWhole(place, path)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw badPath(path, 'is not UTF-8 text, so it can only be replaced as a whole')
  } finally {
    place.close()
  }
}

async function readWhole(place: Place, path: string): Promise<Uint8Array> {
  const file = openFile(place, path)
  try {
    if (file.facts.size > longestEdit) throw badPath(path, `is larger than ${longestEdit} bytes`)
    return await readPart(file.fd, { offset: 0, length: file.facts.size })
  } finally {
    file.close()
  }
}

async function assertContent(place: Place, path: string, expected: Uint8Array): Promise<void> {
  if (place.name === undefined || lookAt(place.folder, place.name) === undefined)
    throw notFound(path)
  const found = await readWhole(place, path)
  if (Buffer.compare(found, expected) === 0) return
  throw new ToolError('conflict', `${quotePath(path)} was changed meanwhile`, {
    fix: 'Read it again, and make the change to its current content.',
  })
}

function makeFolder(ground: Ground, path: string): WorkspaceEntry {
  const make = folderMaker(ground)
  const place = findPlace(ground.root, path, {
    follows: true,
    ...makingFolders(ground),
  })
  try {
    const { folder, name } = place
    if (name === undefined) return entryOf(place)
    const found = lookAt(folder, name)
    if (found === undefined) make(folder, name)
    else if (!found.isDirectory()) throw exists(path)
    return entryOf(place)
  } catch (error) {
    place.undo()
    throw error
  } finally {
    place.close()
  }
}

interface Move {
  from: string
  to: string
  mayReplace: boolean
}

async function move(ground: Ground, { from, to, mayReplace }: Move): Promise<WorkspaceEntry> {
  return withNamed(ground, from, {}, async (source) =>
    withNamed(ground, to, makingFolders(ground), async (target) => {
      const moved = lookAt(source.folder, source.name)
      if (moved === undefined) throw notFound(from)
      const replaced = lookAt(target.folder, target.name)
      if (replaced?.ino === moved.ino && replaced.dev === moved.dev) return entryOf(target)
      if (replaced !== undefined && !mayReplace) throw exists(to)
      await ground.baseline.keep(source, moved)
      await ground.baseline.keep(target, replaced)
      renameSync(source.folder.at(source.name), target.folder.at(target.name))
      if (replaced !== undefined) ground.workspace.allowance.release(sizeOf(replaced))
      return entryOf(target)
    }),
  )
}

async function remove(ground: Ground, path: string, isRecursive: boolean): Promise<void> {
  await withNamed(ground, path, {}, async (place) => {
    const { folder, name } = place
    const found = lookAt(folder, name)
    if (found === undefined) throw notFound(path)
    if (found.isDirectory()) return removeFolder(ground, { place, path, isRecursive })
    await ground.baseline.keep(place, found)
    unlinkSync(folder.at(name))
    ground.workspace.allowance.release(sizeOf(found))
  })
}

type NamedPlace = Place & { name: string }

interface Removal {
  place: NamedPlace
  path: string
  isRecursive: boolean
}

/** A full folder disappears in one step, and is emptied where nobody sees it. */
async function removeFolder(ground: Ground, { place, path, isRecursive }: Removal): Promise<void> {
  const address = place.folder.at(place.name)
  if (!isRecursive) {
    try {
      rmdirSync(address)
    } catch (error) {
      if (!hasErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error
      throw new ToolError('conflict', `The folder ${quotePath(path)} is not empty`, {
        fix: 'Delete it recursively to delete what is in it as well.',
      })
    }
    return ground.workspace.allowance.release({ bytes: 0, files: 1 })
  }
  const size = await keepTree(ground.baseline, place)
  const scratch = openRootFolder(ground.scratch.folder)
  try {
    const gone = createUuid()
    renameSync(address, scratch.at(gone))
    ground.workspace.allowance.release(size)
    await removeFrom(scratch, gone)
  } finally {
    scratch.close()
  }
}

/** A link is moved or deleted itself, not what it leads to. The workspace itself can't be. */
async function withNamed<T>(
  { root }: Ground,
  ...[path, options, step]: [
    string,
    Pick<FindOptions, 'makeFolder' | 'unmakeFolder'>,
    (place: NamedPlace) => Promise<T>,
  ]
): Promise<T> {
  const place = findPlace(root, path, { follows: false, ...options })
  try {
    const { name } = place
    if (name === undefined) throw badPath(path, 'does not name a file or folder')
    return await step({ ...place, name })
  } catch (error) {
    place.undo()
    throw error
  } finally {
    place.close()
  }
}

function sizeOf(facts: Stats): { bytes: number; files: number } {
  return { bytes: facts.isFile() ? facts.size : 0, files: 1 }
}

export function toBytes(content: string | Uint8Array): Uint8Array {
  if (typeof content !== 'string') return content
  if (content.isWellFormed()) return Buffer.from(content)
  throw new ToolError('invalid_input', 'The text is not well-formed Unicode', {
    fix: 'Send bytes, or text without lone surrogates.',
  })
}
