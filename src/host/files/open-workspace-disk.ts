import { chown, chmod, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { statSync } from 'node:fs'
import path from 'node:path'
import type { DiskWorkspace, FileOwner, WorkspaceDisk } from '../../core/host/workspace-disk.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import { createUuid } from '../../core/kernel/ids.ts'
import { openBaseline } from './baseline/baseline.ts'
import { hasErrno, toFileError, unavailable } from './file-error.ts'
import { assertSafePlatform, openRootFolder } from './folder.ts'
import { createLock } from './lock.ts'
import { openUnpacking } from './packing/open-unpacking.ts'
import { packWorkspace } from './packing/pack-workspace.ts'
import { emptyScratch, removeFrom } from './remove-tree.ts'
import { workspaceFiles } from './workspace-files.ts'

const idPattern = /^ws_[0-9a-f]{32}$/
const placeFile = 'place.id'
/** The tenant of a workspace: its files are removed even after the tenant's records are. */
const tenantFile = 'tenant.json'
/** Removed workspaces, until they are empty. */
const goneFolder = '.removed'

export interface DiskOptions {
  /** Absolute. Made if its parent is there. */
  folder: string
  /** The user that this process has. */
  isRoot?: boolean
}

/**
 * The folder that holds workspaces: for each one a folder with `files`, which tools and the sandbox
 * see, and beside it `tmp` and `base`, which only the server sees.
 */
export async function openWorkspaceDisk({
  folder,
  isRoot = process.getuid?.() === 0,
}: DiskOptions): Promise<WorkspaceDisk> {
  assertSafePlatform()
  const place = await openPlace(folder).catch((error: unknown) => {
    throw toFolderError(error, folder)
  })
  const folderOf = (id: string) => path.join(folder, assertId(id))
  const gone = path.join(folder, goneFolder)
  const make = (id: string, whose: Owned) => makeWorkspace(folderOf(id), whose, isRoot)
  return {
    place,
    needsOwner: isRoot,

    create: make,

    find(id) {
      const files = path.join(folderOf(id), 'files')
      if (statSync(files, { throwIfNoEntry: false })?.isDirectory() === true) return files
      throw missing(id, folder)
    },

    files(workspace: DiskWorkspace) {
      const own = folderOf(workspace.id)
      return workspaceFiles({
        root: path.join(own, 'files'),
        scratch: { folder: path.join(own, 'tmp'), owner: isRoot ? workspace.owner : undefined },
        baseline: openBaseline(path.join(own, 'base')),
        lock: createLock(),
        workspace,
      })
    },

    remove: (id) => removeWorkspace(folderOf(id), gone),

    async list() {
      const ids = (await readdir(folder)).filter((name) => idPattern.test(name))
      return Promise.all(ids.map(async (id) => ({ id, tenant: await readTenant(folderOf(id)) })))
    },

    pack: (id, bounds) => packWorkspace(folderOf(id), bounds),

    async unpack(id, whose) {
      await make(id, whose)
      return openUnpacking(folderOf(id), isRoot ? whose.owner : undefined)
    },

    isAbandoned: (id, { olderThanMs }) => isAbandoned(folderOf(id), olderThanMs),

    async clean(options) {
      await emptyScratch(gone, { olderThanMs: 0 })
      for (const id of await readdir(folder)) {
        if (idPattern.test(id)) await cleanOne(path.join(folderOf(id), 'tmp'), options)
      }
    },
  }
}

/** The id of the folder, which is made at the first start and stays. */
async function openPlace(folder: string): Promise<string> {
  await mkdir(folder, { mode: 0o711 }).catch((error: unknown) => {
    if (!hasErrno(error, 'EEXIST')) throw error
  })
  await mkdir(path.join(folder, goneFolder), { mode: 0o700 }).catch((error: unknown) => {
    if (!hasErrno(error, 'EEXIST')) throw error
  })
  const file = path.join(folder, placeFile)
  // Two nodes that start at once: the first one's id counts.
  await writeFile(file, `${createUuid()}\n`, { flag: 'wx', mode: 0o600, flush: true }).catch(
    (error: unknown) => {
      if (!hasErrno(error, 'EEXIST')) throw error
    },
  )
  const id = (await readFile(file, 'utf8')).trim()
  if (/^[0-9a-f]{32}$/.test(id)) return id
  throw new ToolError('data_damaged', `${file} does not hold the id of the folder`, {
    fix: 'Put the file back from a backup, or remove it: workspaces of other nodes are then not found.',
  })
}

type Owned = Parameters<WorkspaceDisk['create']>[1]

async function makeWorkspace(
  own: string,
  { tenant, owner }: Owned,
  isRoot: boolean,
): Promise<void> {
  try {
    await makeFolders(own, isRoot ? owner : undefined)
    await writeFile(path.join(own, tenantFile), JSON.stringify(tenant), { mode: 0o600 })
  } catch (error) {
    throw toFileError(error, path.basename(own))
  }
}

/** A sandbox of another user must be able to pass through, and to use nothing but `files`. */
async function makeFolders(own: string, owner: FileOwner | undefined): Promise<void> {
  await makeFolder(own, owner === undefined ? 0o700 : 0o711)
  for (const name of ['tmp', 'base', 'base/old']) await makeFolder(path.join(own, name), 0o700)
  const files = path.join(own, 'files')
  await makeFolder(files, 0o700)
  if (owner !== undefined) await chown(files, owner.uid, owner.gid)
}

async function makeFolder(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    if (!hasErrno(error, 'EEXIST') || !(await stat(folder)).isDirectory()) throw error
  }
  // The umask of the process may have taken something away.
  await chmod(folder, mode)
}

/** The path is an operator's, so it is named, and a missing one is not a missing file. */
function toFolderError(error: unknown, folder: string): unknown {
  if (isToolError(error)) return error
  const { code = 'an unknown error' } = error as NodeJS.ErrnoException
  return unavailable(`the folder ${folder} can't be opened (${code})`, error)
}

async function readTenant(own: string): Promise<string | undefined> {
  try {
    return JSON.parse(await readFile(path.join(own, tenantFile), 'utf8')) as string
  } catch {
    return undefined
  }
}

async function isAbandoned(own: string, olderThanMs: number): Promise<boolean> {
  try {
    if (Date.now() - (await stat(own)).mtimeMs < olderThanMs) return false
    return (await readdir(path.join(own, 'files'))).length === 0
  } catch (error) {
    // The crash came before the folder for files, or another node was faster.
    return hasErrno(error, 'ENOENT')
  }
}

async function removeWorkspace(own: string, gone: string): Promise<void> {
  try {
    const name = createUuid()
    await rename(own, path.join(gone, name))
    await removeOne(gone, name)
  } catch (error) {
    if (!hasErrno(error, 'ENOENT')) throw toFileError(error, path.basename(own))
  }
}

async function removeOne(gone: string, name: string): Promise<void> {
  const held = openRootFolder(gone)
  try {
    await removeFrom(held, name)
  } finally {
    held.close()
  }
}

async function cleanOne(folder: string, options: { olderThanMs: number }): Promise<void> {
  try {
    await emptyScratch(folder, options)
  } catch (error) {
    // Somebody has removed it in the meantime.
    if (!isToolError(error)) throw error
  }
}

function missing(id: string, folder: string): ToolError {
  return new ToolError('workspace_unavailable', `The files of ${id} are not in ${folder}`, {
    fix: 'Mount the disk that holds them, or delete the workspace to begin an empty one.',
  })
}

/** Ids come from our own table; anything else here is a bug. */
function assertId(id: string): string {
  if (idPattern.test(id)) return id
  throw unavailable('its id is malformed')
}
