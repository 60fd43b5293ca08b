import { storeTime } from '../../core/kernel/ids.ts'
import { copyFile, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { backupDraftPrefix, type BackupStream } from '../../core/backup/backup.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { createUuid } from '../../core/kernel/ids.ts'
import type { Store } from '../../core/ports.ts'
import type { WorkspaceDisk } from '../../core/host/workspace-disk.ts'
import { packBackup } from './archive/pack-backup.ts'
import { type NamedWorkspace, packWorkspaces } from './archive/pack-workspaces.ts'

/** The source of a backup. */
export interface BackupSource {
  store: Pick<Store, 'kind' | 'snapshot' | 'events'>
  host: { disk(): Promise<WorkspaceDisk> }
  workspaces: { store: WorkspaceTable }
  config: { workspaces: { maxBytes: number; maxFiles: number } }
  /** The data folder, absolute. */
  data: string
  /** The version of this Toolcrib. */
  version: string
}

/** The workspaces in a folder, by id. */
interface WorkspaceTable {
  listPlace(
    place: string,
    page: { after?: string | undefined; limit: number },
  ): Promise<{ items: NamedWorkspace[]; next?: string }>
}

export interface BackupOptions {
  /** Include the files of workspaces. */
  workspaces?: boolean | undefined
}

export type TakeBackup = (caller: Caller, options?: BackupOptions) => Promise<BackupStream>

/** Space to leave free, so that the copy does not make the database run out of disk. */
const spareBytes = 256 * 1024 * 1024

/** Backs up a server that is in use. One at a time, since each needs space on disk. */
export function createTakeBackup(source: BackupSource): TakeBackup {
  const { store, data, version } = source
  let isTaking = false
  return async ({ tenant, principal }, { workspaces = false } = {}) => {
    if (store.snapshot === undefined && !workspaces) throw notEmbedded(store.kind)
    if (isTaking) throw beingTaken()
    isTaking = true
    const folder = store.snapshot && path.join(data, `${backupDraftPrefix}${createUuid()}`)
    const close = async () => {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
      isTaking = false
    }
    try {
      const createdAt = new Date(storeTime())
      const place = workspaces ? await openPlace(source) : undefined
      const copied = folder === undefined ? { bytes: 0, stalledMs: 0 } : await copy(source, folder)
      // Again: some were created since, whose rows may be in the copy.
      const packed = place && packWorkspaces({ ...place, workspaces: await place.list() })
      const type = 'backup.created' as const
      const event = {
        type,
        at: storeTime(),
        data: { ...copied, ...(workspaces && { workspaces }) },
      }
      await store.events.record([{ tenant, principal, events: [event] }])
      const facts = { toolcrib: version, createdAt: createdAt.toISOString() }
      const pieces = packBackup({ folder, workspaces: packed }, facts)
      return { name: nameFor(createdAt, folder !== undefined), pieces, close }
    } catch (error) {
      await close()
      throw error
    }
  }
}

/** The database as it is now, in a new folder. */
async function copy({ store, data }: BackupSource, folder: string) {
  await assertRoom(data)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { bytes = 0, stalledMs = 0 } = (await store.snapshot?.(folder)) ?? {}
  await copySetAside(data, folder)
  return { bytes, stalledMs }
}

/**
 * The folder of workspaces, and those in the table before the database is copied: one that is
 * removed right after that has a row in the copy.
 */
async function openPlace({ host, workspaces, config }: BackupSource) {
  const disk = await host.disk()
  const known = new Map<string, NamedWorkspace>()
  const list = async () => {
    for (let after: string | undefined; ;) {
      const { items, next } = await workspaces.store.listPlace(disk.place, { after, limit: 1000 })
      for (const { id, tenant, uid } of items) known.set(id, { id, tenant, uid })
      if (next === undefined) return known.values()
      after = next
    }
  }
  await list()
  const { maxBytes, maxFiles } = config.workspaces
  // A program may have exceeded them before it was stopped.
  return { disk, list, maxBytes: maxBytes * 2, maxFiles: maxFiles * 2 }
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

function nameFor(at: Date, hasDatabase: boolean): string {
  return `toolcrib-${hasDatabase ? 'backup' : 'workspaces'}-${at.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')}`
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
      fix: 'Use pg_dump (or the backups of your provider) for the database, and keep a copy of the master key separately: master.key in the data folder, or the value of TOOLCRIB_MASTER_KEY. With --workspaces, toolcrib backup copies the files of workspaces alone.',
    },
  )
}
