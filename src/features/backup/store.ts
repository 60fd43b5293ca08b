import { storeTime } from '../../core/kernel/ids.ts'
import { copyFile, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { backupDraftPrefix, type BackupStream } from '../../core/backup/backup.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { createUuid } from '../../core/kernel/ids.ts'
import type { Store } from '../../core/ports.ts'
import { packBackup } from '../../store/backup/pack-backup.ts'

/** The source of a backup. */
export interface BackupSource {
  store: Pick<Store, 'kind' | 'snapshot' | 'events'>
  /** The data folder, absolute. */
  data: string
  /** The version of this Toolcrib. */
  version: string
}

export type TakeBackup = (caller: Caller) => Promise<BackupStream>

/** Space to leave free, so that the copy does not make the database run out of disk. */
const spareBytes = 256 * 1024 * 1024

/** Backs up an embedded store while it is in use. One at a time, since each needs space on disk. */
export function createTakeBackup({ store, data, version }: BackupSource): TakeBackup {
  let isTaking = false
  return async ({ tenant, principal }) => {
    if (store.snapshot === undefined) throw notEmbedded(store.kind)
    if (isTaking) throw beingTaken()
    isTaking = true
    const draft = path.join(data, `${backupDraftPrefix}${createUuid()}`)
    const close = async () => {
      await rm(draft, { recursive: true, force: true })
      isTaking = false
    }
    try {
      await assertRoom(data)
      await mkdir(draft, { recursive: true, mode: 0o700 })
      const createdAt = new Date(storeTime())
      const { bytes, stalledMs } = await store.snapshot(draft)
      await copySetAside(data, draft)
      const type = 'backup.created' as const
      const event = { type, at: storeTime(), data: { bytes, stalledMs } }
      await store.events.record([{ tenant, principal, events: [event] }])
      const facts = { toolcrib: version, createdAt: createdAt.toISOString() }
      return { name: nameFor(createdAt), pieces: packBackup(draft, facts), close }
    } catch (error) {
      await close()
      throw error
    }
  }
}

/** Calls that could not be recorded are in no table; their files are kept for inspection. */
async function copySetAside(data: string, draft: string): Promise<void> {
  for (const name of await readdir(data)) {
    if (name.startsWith('journal.unrecorded-'))
      await copyFile(path.join(data, name), path.join(draft, name))
  }
}

async function assertRoom(data: string): Promise<void> {
  const { bavail, bsize } = await statfs(data)
  const needed = (await sizeOf(path.join(data, 'db'))) + spareBytes
  if (bavail * bsize >= needed) return
  throw new ToolError(
    'quota_exceeded',
    `The disk of ${data} has no space for a copy: ${toMegabytes(needed)} MB are needed, ${toMegabytes(bavail * bsize)} MB are free.`,
    { fix: 'Free disk space, or stop the server and copy the data folder elsewhere.' },
  )
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(
    names.map((name) =>
      stat(path.join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((total, size) => total + size, 0)
}

function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024)
}

function nameFor(at: Date): string {
  return `toolcrib-backup-${at.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')}`
}

function beingTaken(): ToolError {
  return new ToolError('conflict', 'A backup is being taken already.', {
    retryable: true,
    fix: 'Wait until it is done, then try again.',
  })
}

function notEmbedded(kind: Store['kind']): ToolError {
  const place = kind === 'postgres' ? 'PostgreSQL' : 'a store without files'
  return new ToolError(
    'invalid_request',
    `The records are in ${place}, which toolcrib backup does not copy.`,
    {
      fix: 'Use pg_dump (or the backups of your provider) for the database, and keep a copy of the master key separately: master.key in the data folder, or the value of TOOLCRIB_MASTER_KEY.',
    },
  )
}
