import { createWriteStream } from 'node:fs'
import { link, open, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { ToolError } from '../../core/kernel/errors.ts'
import type { BackupManifest } from '../../core/backup/backup.ts'
import { packFile } from '../../features/backup/archive/pack-backup.ts'
import { archiveEnd } from '../../features/backup/archive/tar-entries.ts'
import { watchArchive } from '../../features/backup/archive/watch-archive.ts'
import { toSummary } from '../../features/backup/archive/workspaces-summary.ts'
import type { BackupTarget, WrittenBackup } from '../../doors/cli/environment.ts'

/**
 * Writes the archive that a server sends, compressed. It has another name until it is complete and
 * on disk, so that half a backup is never mistaken for one.
 */
export async function writeBackup(
  response: Response,
  target: BackupTarget,
): Promise<WrittenBackup> {
  const file = await findFile(response, target)
  const draft = join(dirname(file), `.${basename(file)}.part`)
  let manifest: BackupManifest | undefined
  try {
    const archive = watchArchive(complete(response, target), (found) => (manifest = found))
    await pipeline(Readable.from(archive), createGzip(), createWriteStream(draft, { mode: 0o600 }))
    await sync(draft)
    // A link fails if the name was taken in the meantime; renaming would overwrite the file.
    await link(draft, file)
  } catch (error) {
    await response.body?.cancel().catch(() => undefined)
    throw toWriteError(error, file)
  } finally {
    await rm(draft, { force: true })
  }
  const { files = {}, workspaces } = manifest ?? {}
  return {
    file,
    bytes: (await stat(file)).size,
    hasDatabase: Object.keys(files).length > 0,
    ...(workspaces !== undefined && { workspaces: toSummary(workspaces) }),
  }
}

async function findFile(response: Response, { to, cwd }: BackupTarget): Promise<string> {
  const disposition = response.headers.get('content-disposition') ?? ''
  const [, given = 'toolcrib-backup.tar'] = /filename="([\w.-]+)"/.exec(disposition) ?? []
  const place = resolve(cwd, to ?? '.')
  const facts = await stat(place).catch(() => undefined)
  const file = facts?.isDirectory() === true ? join(place, `${given}.gz`) : place
  const isTaken = await stat(file).then(
    () => true,
    () => false,
  )
  if (isTaken) throw taken(file)
  return file
}

/**
 * The archive, with the key before its end. An archive without an end was truncated in transfer.
 */
async function* complete(
  response: Response,
  { key, onProgress }: BackupTarget,
): AsyncGenerator<Uint8Array> {
  let held = Buffer.alloc(0)
  let received = 0
  for await (const piece of response.body ?? []) {
    received += piece.length
    onProgress?.({ done: received })
    const all = Buffer.concat([held, piece])
    const ready = Math.max(0, all.length - archiveEnd.length)
    held = all.subarray(ready)
    if (ready > 0) yield all.subarray(0, ready)
  }
  if (!held.equals(archiveEnd)) throw cutOff()
  if (key !== undefined) yield packFile('master.key', key)
  yield archiveEnd
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function toWriteError(error: unknown, file: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') return taken(file)
  const known = ['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR']
  if (code === undefined || !known.includes(code)) {
    return error instanceof TypeError ? cutOff(error) : error
  }
  return new ToolError('invalid_request', `${file} can't be written: ${message}`, {
    fix: 'Choose another place with --to.',
    cause: error,
  })
}

function taken(file: string): ToolError {
  return new ToolError('conflict', `${file} already exists.`, {
    fix: 'Choose another name with --to: existing files are not overwritten.',
  })
}

function cutOff(cause?: unknown): ToolError {
  return new ToolError('server_unreachable', 'The server stopped while it sent the backup.', {
    fix: "Try again, and check the server's log for the reason.",
    cause,
  })
}
