import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ToolError } from '../../core/kernel/errors.ts'
import type { BackupReport, RestoreRequest } from '../../doors/cli/environment.ts'
import {
  openArchive,
  type UnpackedBackup,
  unpackBackup,
} from '../../features/backup/archive/unpack-backup.ts'
import { toSummary } from '../../features/backup/archive/workspaces-summary.ts'
import type { OpenDisk } from '../../features/backup/archive/unpack-workspaces.ts'
import { inspectStore } from '../../store/inspect-store.ts'
import { type MasterKeyRing, parseMasterKeys } from '../../store/master-key.ts'
import { hasDatabase, makeDataFolder } from './data-folder.ts'
import { readGivenMasterKeys } from './given-secrets.ts'

const draftName = 'restore.draft'
const keyName = 'master.key'
const workspacesName = 'workspaces'
const databaseName = 'db'
const movingName = 'moving.json'

/** Makes a data folder of a backup. It is opened and looked through aside before it gets its place. */
export async function restoreBackup(request: RestoreRequest): Promise<BackupReport> {
  const { file, data } = request
  await assertVacant(data, await holdsDatabase(file))
  await makeDataFolder(data)
  const draft = path.join(data, draftName)
  await removeDraft(data)
  await mkdir(draft, { mode: 0o700 })
  try {
    const openDisk = diskIn(path.join(draft, workspacesName))
    const report = await unpackAndLook({ ...request, folder: draft, openDisk })
    await moveIn(draft, data)
    return report
  } catch (error) {
    throw toRestoreError(error, data)
  } finally {
    await removeDraft(data)
  }
}

/** The draft, and what was moved out of it by a restore that did not get to the database. */
async function removeDraft(data: string): Promise<void> {
  for (const name of await listHalfMoved(data)) {
    await rm(path.join(data, name), { recursive: true, force: true })
  }
  await rm(path.join(data, draftName), { recursive: true, force: true })
}

/**
 * The same in a temporary folder, which leaves nothing but the report. Files of workspaces are
 * read and not written.
 */
export async function verifyBackup(request: RestoreRequest): Promise<BackupReport> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-verify-'))
  try {
    return await unpackAndLook({ ...request, folder, openDisk: async () => undefined })
  } catch (error) {
    throw toRestoreError(error, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Place extends RestoreRequest {
  folder: string
  openDisk: OpenDisk
}

async function unpackAndLook(place: Place): Promise<BackupReport> {
  const { onProgress } = place
  const { size } = await stat(place.file).catch(() => ({ size: 0 }))
  const unpacked = await unpackBackup(place.file, {
    ...place,
    onProgress: onProgress && ((read) => onProgress({ done: read, total: size })),
  })
  const { manifest, hasMasterKey } = unpacked
  const masterKeys = await findKeys(place, unpacked)
  const hasTables = Object.keys(manifest.files).length > 0
  return {
    createdAt: manifest.createdAt,
    version: manifest.toolcrib,
    hasMasterKey,
    isKeyChecked: hasTables && masterKeys !== undefined,
    ...(hasTables ? await inspectStore(place.folder, masterKeys) : { tables: [] }),
    ...(manifest.workspaces !== undefined && { workspaces: toSummary(manifest.workspaces) }),
  }
}

/** The folder of workspaces as a server finds it, with the id that the table names. */
function diskIn(folder: string): OpenDisk {
  return async (place) => {
    const { openWorkspaceDisk } = await import('../../host/files/open-workspace-disk.ts')
    await mkdir(folder, { mode: 0o711 })
    await writeFile(path.join(folder, 'place.id'), `${place}\n`, { mode: 0o600 })
    return openWorkspaceDisk({ folder })
  }
}

/** The backup's own, else those that a server on this data folder would use. */
async function findKeys(
  { folder, data }: { folder: string; data: string },
  { hasMasterKey }: UnpackedBackup,
): Promise<MasterKeyRing | undefined> {
  const given = hasMasterKey ? undefined : await readGivenMasterKeys(process.env)
  const file = path.join(hasMasterKey ? folder : data, keyName)
  const text = given ?? (await readFile(file, 'utf8').catch(() => undefined))
  return text === undefined ? undefined : parseMasterKeys(text)
}

/** Without a database, an archive holds the files of workspaces alone, which go beside what is there. */
async function holdsDatabase(file: string): Promise<boolean> {
  for await (const { name } of openArchive(file)) return !name.startsWith(`${workspacesName}/`)
  return true
}

/** A key that was put there before is fine; anything else would be overwritten, or mixed with the backup. */
async function assertVacant(data: string, takesAll: boolean): Promise<void> {
  const names = await readdir(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const fine = [keyName, draftName, ...(await listHalfMoved(data))]
  const inTheWay = takesAll
    ? names.filter((name) => !fine.includes(name))
    : names.filter((name) => name === workspacesName)
  if (inTheWay.length === 0) return
  throw new ToolError('conflict', `${data} is not empty: it holds ${inTheWay.join(', ')}.`, {
    fix: 'Name a new folder with --data; nothing was changed.',
  })
}

function toRestoreError(error: unknown, folder: string): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') return error
  return new ToolError('quota_exceeded', `The disk of ${folder} is full.`, {
    fix: 'Free disk space, or name a folder on another disk; nothing was changed.',
    cause: error,
  })
}

/**
 * The database last: until it is there, a folder with a key is refused as incomplete. The list of
 * what comes before it lets the next restore begin again after a crash.
 */
async function moveIn(draft: string, data: string): Promise<void> {
  const names = await readdir(draft)
  if (names.includes(keyName)) await placeKey(path.join(draft, keyName), path.join(data, keyName))
  const before = names.filter(
    (name) => name === workspacesName || name.startsWith('journal.unrecorded-'),
  )
  const isWhole = names.includes(databaseName)
  if (isWhole) await writeFile(path.join(draft, movingName), JSON.stringify(before))
  for (const name of isWhole ? [...before, databaseName] : before) {
    await rename(path.join(draft, name), path.join(data, name))
  }
}

/** The parts that a restore has put into the folder, if it was cut off before the database. */
async function listHalfMoved(data: string): Promise<string[]> {
  const draft = path.join(data, draftName)
  const names = await readdir(draft).catch((): string[] => [])
  if (!names.includes(databaseName) || !names.includes(movingName)) return []
  // Since then, a server has begun with a database of its own.
  if (await hasDatabase(data)) return []
  // Cut off while it was written, nothing has been moved.
  const text = await readFile(path.join(draft, movingName), 'utf8')
  return text.endsWith(']') ? (JSON.parse(text) as string[]) : []
}

async function placeKey(from: string, to: string): Promise<void> {
  const [ours, theirs] = await Promise.all([
    readFile(to, 'utf8').catch(() => undefined),
    readFile(from, 'utf8'),
  ])
  if (ours === undefined) return copyFile(from, to)
  if (ours === theirs) return
  throw new ToolError('conflict', `${to} is another master key than the one in the backup.`, {
    fix: 'Move it elsewhere first; nothing was changed.',
  })
}
