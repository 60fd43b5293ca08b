import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type BackupManifest,
  manifestName,
  type PackedWorkspaces,
} from '../../../core/backup/backup.ts'
import { archiveEnd, toTarHead, toTarPadding } from './tar-entries.ts'

/** The contents of an archive. */
export interface BackupParts {
  /** Everything in this folder. */
  folder?: string | undefined
  /** Entries of workspaces, and what they were. */
  workspaces?: AsyncGenerator<Uint8Array, PackedWorkspaces> | undefined
}

/** A backup as a tar archive, which ends with a manifest of what is in it. */
export async function* packBackup(
  { folder, workspaces }: BackupParts,
  facts: Pick<BackupManifest, 'toolcrib' | 'createdAt'>,
): AsyncGenerator<Uint8Array> {
  const files = folder === undefined ? {} : yield* packFolder(folder)
  const packed = workspaces === undefined ? undefined : yield* workspaces
  const manifest: BackupManifest = {
    format: packed === undefined ? 1 : 2,
    ...facts,
    files,
    ...(packed !== undefined && { workspaces: packed }),
  }
  yield packFile(manifestName, Buffer.from(JSON.stringify(manifest)))
  yield archiveEnd
}

async function* packFolder(folder: string): AsyncGenerator<Uint8Array, BackupManifest['files']> {
  const files: Record<string, BackupManifest['files'][string]> = {}
  for await (const path of walk(folder, '')) {
    if (path.endsWith('/')) {
      yield toTarHead({ name: path, bytes: 0 })
      continue
    }
    const { size: bytes } = await stat(join(folder, path))
    const hash = createHash('sha256')
    yield toTarHead({ name: path, bytes })
    for await (const piece of createReadStream(join(folder, path)) as AsyncIterable<Buffer>) {
      hash.update(piece)
      yield piece
    }
    yield toTarPadding(bytes)
    files[path] = { bytes, sha256: hash.digest('hex') }
  }
  return files
}

/** One file that is in memory, as an archive holds it. */
export function packFile(name: string, content: Uint8Array): Uint8Array {
  const bytes = content.length
  return Buffer.concat([toTarHead({ name, bytes }), content, toTarPadding(bytes)])
}

/** Paths below the folder, with forward slashes on every system. */
async function* walk(root: string, folder: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}${entry.name}`
    if (!entry.isDirectory()) yield path
    else {
      yield `${path}/`
      yield* walk(root, `${path}/`)
    }
  }
}
