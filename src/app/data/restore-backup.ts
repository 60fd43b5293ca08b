import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ToolError } from '../../core/kernel/errors.ts'
import type { BackupReport, RestoreRequest } from '../../doors/cli/environment.ts'
import { inspectBackup } from '../../store/backup/inspect-backup.ts'
import { type UnpackedBackup, unpackBackup } from '../../store/backup/unpack-backup.ts'
import { type MasterKeyRing, parseMasterKeys } from '../../store/master-key.ts'
import { makeDataFolder } from './data-folder.ts'
import { readGivenMasterKeys } from './given-secrets.ts'

const draftName = 'restore.draft'
const keyName = 'master.key'

/** Makes a data folder of a backup. It is opened and looked through aside before it gets its place. */
export async function restoreBackup({ file, data }: RestoreRequest): Promise<BackupReport> {
  await assertVacant(data)
  await makeDataFolder(data)
  const draft = path.join(data, draftName)
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  try {
    const report = await unpackAndLook({ file, folder: draft, data })
    await moveIn(draft, data)
    return report
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** The same in a temporary folder, which leaves nothing but the report. */
export async function verifyBackup({ file, data }: RestoreRequest): Promise<BackupReport> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-verify-'))
  try {
    return await unpackAndLook({ file, folder, data })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function unpackAndLook(place: {
  file: string
  folder: string
  data: string
}): Promise<BackupReport> {
  const unpacked = await unpackBackup(place.file, place.folder)
  const masterKeys = await findKeys(place, unpacked)
  const found = await inspectBackup(place.folder, masterKeys)
  return {
    createdAt: unpacked.manifest.createdAt,
    version: unpacked.manifest.toolcrib,
    hasMasterKey: unpacked.hasMasterKey,
    isKeyChecked: masterKeys !== undefined,
    ...found,
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

/** A key that was put there before is fine; anything else would be overwritten, or mixed with the backup. */
async function assertVacant(data: string): Promise<void> {
  const names = await readdir(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const inTheWay = names.filter((name) => name !== keyName && name !== draftName)
  if (inTheWay.length === 0) return
  throw new ToolError('conflict', `${data} is not empty: it holds ${inTheWay.join(', ')}.`, {
    fix: 'Name a new folder with --data; nothing was changed.',
  })
}

/** The database last: until it is there, the folder is refused as incomplete. */
async function moveIn(draft: string, data: string): Promise<void> {
  const names = await readdir(draft)
  for (const name of names.filter((one) => one.startsWith('journal.unrecorded-'))) {
    await rename(path.join(draft, name), path.join(data, name))
  }
  if (names.includes(keyName)) await placeKey(path.join(draft, keyName), path.join(data, keyName))
  await rename(path.join(draft, 'db'), path.join(data, 'db'))
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
