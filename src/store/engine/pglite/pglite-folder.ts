import { constants } from 'node:fs'
import { access, mkdir, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import { lockFolder } from './folder-lock.ts'
import type { FolderLock } from './folder-lock.ts'
import { type Database, openDatabase } from './pglite-database.ts'
import { pgliteStartParams } from './pglite-settings.ts'
import { unpackPrebuiltFolder } from './prebuilt-folder.ts'
import { damaged } from '../store-error.ts'

/** The PostgreSQL that is inside the embedded engine; it can't read what a later one wrote. */
const engineMajor = 18
/** How long replaying the write-ahead log may take. */
const recoveryBytes = 32 * 1024 * 1024

/** Makes the data folder where it is missing, and takes it for this process. */
export async function claimFolder(dataDir: string): Promise<FolderLock> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const lock = await lockFolder(dataDir)
    await access(databaseFolder(dataDir), constants.W_OK).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    })
    return lock
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    throw new ToolError(
      'data_read_only',
      `The data folder ${dataDir} can't be written (${code}).`,
      {
        fix: 'Make it writable for the user that runs Toolcrib, or choose another (--data, or data in createCrib).',
        cause: error,
      },
    )
  }
}

/** Opens the database in the folder, which must be claimed; makes it on the first start. */
export async function openFolder(dataDir: string): Promise<Database> {
  const folder = databaseFolder(dataDir)
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version !== undefined) assertReadable(dataDir, version)
  else if (await isEmpty(folder)) await makeFolder(folder)
  else throw damaged(`The database in ${folder} has lost its PG_VERSION file.`)
  return open(folder)
}

/** Made aside and renamed: a process killed during its first start leaves no half database behind. */
async function makeFolder(folder: string): Promise<void> {
  const draft = `${folder}.draft`
  await rm(draft, { recursive: true, force: true })
  const isUnpacked = await unpackPrebuiltFolder(draft)
  if (!isUnpacked) await (await open(draft)).close()
  await rename(draft, folder)
}

async function isEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => [])
  return names.length === 0
}

function assertReadable(dataDir: string, version: string): void {
  const major = Number.parseInt(version, 10)
  if (major <= engineMajor) return
  if (Number.isNaN(major)) {
    throw damaged(`The database in ${databaseFolder(dataDir)} does not name its version.`)
  }
  throw new ToolError(
    'data_newer',
    `The data folder ${dataDir} was written by a newer engine (${version.trim()}, this one is ${engineMajor}).`,
    { fix: 'Start the newer Toolcrib, or choose another folder (--data, or data in createCrib).' },
  )
}

async function open(folder: string): Promise<Database> {
  try {
    return await openDatabase({ dataDir: folder, startParams: pgliteStartParams() })
  } catch (error) {
    if (isToolError(error) || (await isDiskFull(folder))) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw damaged(`The database in ${folder} can't be opened: ${reason}`, error)
  }
}

/** A database that needs room to recover is not damaged for the lack of it. */
async function isDiskFull(folder: string): Promise<boolean> {
  const facts = await statfs(folder).catch(() => undefined)
  return facts !== undefined && facts.bavail * facts.bsize < recoveryBytes
}

export function databaseFolder(dataDir: string): string {
  return join(dataDir, 'db')
}
