import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { backupDraftPrefix } from '../../core/backup/backup.ts'
import { ToolError } from '../../core/kernel/errors.ts'

/** Creates the data folder, readable by its owner only. */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
  } catch (error) {
    throw notWritable(folder, error)
  }
}

/** Turns a permission error of the system into one with a fix; returns others unchanged. */
export function notWritable(folder: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const known = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'EINVAL']
  if (code === undefined || !known.includes(code)) return error
  return new ToolError('data_read_only', `The data folder ${folder} can't be used: ${message}`, {
    fix: 'Change its owner or rights, or name another: --data, TOOLCRIB_DATA, or data in createCrib.',
    cause: error,
  })
}

/**
 * Step by step: Node's recursive mkdir never returns where a file system refuses, such as /proc.
 */
async function makeFolder(folder: string): Promise<void> {
  const facts = await stat(folder).catch(() => undefined)
  if (facts?.isDirectory()) return
  const parent = path.dirname(folder)
  if (parent !== folder) await makeFolder(parent)
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Another process has just created it.
    if (error.code !== 'EEXIST' || facts !== undefined) throw error
  })
}

const movedFile = 'moved.json'

/**
 * Records in an embedded store that its data was moved, without the password of the new address.
 */
export async function markMoved(folder: string, databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl)
  const to = `${url.protocol}//${url.host}${url.pathname}`
  await writeFile(
    path.join(folder, movedFile),
    `${JSON.stringify({ to, at: new Date().toISOString() })}\n`,
  )
}

/** A moved store must not be used by mistake: its records would be in two places. */
export async function refuseMoved(folder: string): Promise<void> {
  const file = path.join(folder, movedFile)
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return
  const { to } = JSON.parse(text) as { to: string }
  throw new ToolError('invalid_config', `The crib in ${folder} was moved to ${to}`, {
    fix: `Use that address (--database, or database in createCrib), or remove ${file} to continue with this store.`,
  })
}

const firstStartFile = 'first-start'
const keyFile = 'master.key'

/**
 * Announces that a folder without a database is about to get one, even if the start is interrupted.
 */
export async function beginFirstStart(folder: string): Promise<void> {
  const isNew = !(await isThere(folder, keyFile)) && !(await hasDatabase(folder))
  if (isNew) await writeFile(path.join(folder, firstStartFile), '', { mode: 0o600 })
}

export async function endFirstStart(folder: string): Promise<void> {
  await rm(path.join(folder, firstStartFile), { force: true })
}

/**
 * A folder with a master key once had records, here or in PostgreSQL. Starting without them would
 * look as if everything had been deleted.
 */
export async function refuseLostDatabase(folder: string): Promise<void> {
  if (await hasDatabase(folder)) return
  const isLost = (await isThere(folder, keyFile)) && !(await isThere(folder, firstStartFile))
  if (!isLost) return
  throw new ToolError(
    'data_damaged',
    `The data folder ${folder} has a master key, but its database (${path.join(folder, 'db')}) is missing.`,
    {
      fix: 'If the records are in PostgreSQL, give its address: --database URL, TOOLCRIB_DATABASE, or database in createCrib. Otherwise put the database back (toolcrib restore FILE --data DIR). To start empty, use another folder (--data DIR).',
    },
  )
}

/** For commands that only read: a mistyped path would otherwise become a new, empty data folder. */
export async function assertDataFolder(folder: string): Promise<void> {
  if (await isDataFolder(folder)) return
  throw new ToolError('not_found', `There is no Toolcrib data in ${folder}.`, {
    fix: 'Check the path (--data, TOOLCRIB_DATA), or name a server with --url. toolcrib start makes a new data folder.',
  })
}

export async function isDataFolder(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => [])
  return ['db', keyFile, movedFile].some((name) => names.includes(name))
}

/**
 * Removes unfinished backups that a killed server left behind. For the process that locks the
 * folder.
 */
export async function removeBackupDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(backupDraftPrefix))
      await rm(path.join(folder, name), { recursive: true, force: true })
  }
}

export async function hasDatabase(folder: string): Promise<boolean> {
  return isThere(folder, path.join('db', 'PG_VERSION'))
}

async function isThere(folder: string, name: string): Promise<boolean> {
  return stat(path.join(folder, name)).then(
    () => true,
    () => false,
  )
}
