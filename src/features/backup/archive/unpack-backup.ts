import { createHash } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { type BackupManifest, manifestName } from '../../../core/backup/backup.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { damagedBackup } from './damaged-backup.ts'
import { readTar, type TarEntry } from './tar-entries.ts'
import { createWorkspaceSink, type OpenDisk } from './unpack-workspaces.ts'

export interface UnpackedBackup {
  manifest: BackupManifest
  hasMasterKey: boolean
}

const keyName = 'master.key'
const maxManifestBytes = 64 * 1024 * 1024
/**
 * The database, the key, and rows that could not be recorded. No path among them leaves the folder.
 */
const allowed = /^(?:db\/(?:[\w.-]+\/)*[\w.-]*|master\.key|journal\.unrecorded-[\w-]+)$/

export interface UnpackTarget {
  folder: string
  openDisk: OpenDisk
  /** How much of the file has been read. */
  onProgress?: ((read: number) => void) | undefined
}

/** Writes what is in a backup below `folder`, and compares every file with the manifest. */
export async function unpackBackup(
  file: string,
  { folder, openDisk, onProgress }: UnpackTarget,
): Promise<UnpackedBackup> {
  const found = new Map<string, { bytes: number; sha256: string }>()
  const workspaces = createWorkspaceSink(openDisk)
  let manifest: BackupManifest | undefined
  for await (const entry of openArchive(file, onProgress)) {
    if (entry.name === manifestName) {
      manifest = await readManifest(entry)
      continue
    }
    if (await workspaces.take(entry)) continue
    const isInside = allowed.test(entry.name) && !entry.name.split('/').includes('..')
    if (!isInside)
      throw damagedBackup(`The backup holds ${entry.name}, which does not belong there.`)
    const sha256 = await writeEntry(entry, join(folder, entry.name))
    if (!entry.name.endsWith('/')) found.set(entry.name, { bytes: entry.bytes, sha256 })
  }
  if (manifest === undefined) throw damagedBackup('The backup is cut off: it has no manifest.')
  compare(manifest, found)
  await workspaces.end(manifest.workspaces)
  return { manifest, hasMasterKey: found.has(keyName) }
}

/** The entries of an archive, compressed or not. */
export function openArchive(file: string, onProgress?: UnpackTarget['onProgress']) {
  return readTar(readArchive(file, onProgress))
}

async function* readArchive(
  file: string,
  onProgress: UnpackTarget['onProgress'],
): AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new ToolError('invalid_request', `${file} can't be read (${error.code ?? 'unknown'}).`, {
      cause: error,
    })
  })
  const magic = Buffer.alloc(2)
  try {
    await handle.read(magic, 0, 2, 0)
  } finally {
    await handle.close()
  }
  const isZipped = magic[0] === 0x1f && magic[1] === 0x8b
  const bytes = createReadStream(file, { highWaterMark: 1 << 18 })
  const source = isZipped ? unzip(bytes) : bytes
  try {
    for await (const piece of source as AsyncIterable<Buffer>) {
      onProgress?.(bytes.bytesRead)
      yield piece
    }
  } catch (error) {
    if (!isZipped) throw error
    throw damagedBackup(`${file} is damaged: ${(error as Error).message}.`, error)
  } finally {
    bytes.destroy()
  }
}

function unzip(bytes: ReadStream) {
  const unzipped = createGunzip()
  bytes.on('error', (error) => unzipped.destroy(error))
  return bytes.pipe(unzipped)
}

async function writeEntry(entry: TarEntry, path: string): Promise<string> {
  const hash = createHash('sha256')
  if (entry.name.endsWith('/')) {
    await mkdir(path, { recursive: true, mode: 0o700 })
    return ''
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const piece of entry.content) {
      hash.update(piece)
      await file.writeFile(piece)
    }
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}

/** Of the last entry of an archive. */
export async function readManifest(entry: TarEntry): Promise<BackupManifest> {
  if (entry.bytes > maxManifestBytes)
    throw damagedBackup('The manifest of the backup is too large.')
  const parts: Uint8Array[] = []
  for await (const piece of entry.content) parts.push(Buffer.from(piece))
  const manifest = parse(Buffer.concat(parts).toString('utf8'))
  if (manifest?.format === 1 || manifest?.format === 2) return manifest
  throw new ToolError('data_newer', 'The backup was made by a newer Toolcrib.', {
    fix: 'Restore it with that version, or a later one.',
  })
}

function parse(text: string): BackupManifest | undefined {
  try {
    return JSON.parse(text) as BackupManifest
  } catch (error) {
    throw damagedBackup('The manifest of the backup is damaged.', error)
  }
}

/** The key is added by the person who makes the backup; opening the store verifies it. */
function compare(
  { files }: BackupManifest,
  found: ReadonlyMap<string, { bytes: number; sha256: string }>,
): void {
  for (const [name, { bytes, sha256 }] of Object.entries(files)) {
    const file = found.get(name)
    if (file?.bytes === bytes && file.sha256 === sha256) continue
    throw damagedBackup(`${name} in the backup is ${file === undefined ? 'missing' : 'damaged'}.`)
  }
  for (const name of found.keys()) {
    if (name !== keyName && !Object.hasOwn(files, name))
      throw damagedBackup(`${name} in the backup is not in its manifest.`)
  }
}
