import type {
  WorkspaceDisk,
  WorkspaceFiles,
  WorkspaceSize,
} from '../../core/host/workspace-disk.ts'
import type { WorkspaceFolder } from '../../core/host/workspace-folder.ts'
import type { WorkspaceMode } from '../../core/kernel/context/workspace.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { createAllowance, type CountedAllowance } from './allowance.ts'
import type { WorkspacesConfig } from './config.ts'
import type { StoredWorkspace, WorkspaceStore } from './workspace-store.ts'

/** A workspace that is in use on this node. */
export interface OpenWorkspace extends WorkspaceFolder {
  readonly files: WorkspaceFiles
  readonly mode: WorkspaceMode
}

export interface WorkspaceParts {
  store: WorkspaceStore
  /** Opened when a workspace is first used. */
  disk(): Promise<WorkspaceDisk>
  config: WorkspacesConfig
  now(): number
  onWarning(message: string): void
}

export interface WorkspaceUse {
  /** True while something runs in a workspace: it is not forgotten then. */
  isBusy(id: string): boolean
}

/** The workspaces that this node has opened, with their sizes. */
export interface KnownWorkspaces {
  open(row: StoredWorkspace): Promise<OpenWorkspace>
  /** A row that was read less than a second ago: changes of the mode apply after that. */
  recent(id: string): StoredWorkspace | undefined
  sizeOf(row: StoredWorkspace): WorkspaceSize
  measure(id: string, heldBytes?: number): Promise<WorkspaceSize>
  /** Throws `quota_exceeded` if it holds too much already, by a fresh count. */
  assertKept(id: string): Promise<void>
  /** After a change of the mode in the table. */
  setMode(id: string, mode: WorkspaceMode): void
  /** Those of a tenant, with the modes that are known here. */
  listKnown(tenant: string): readonly Pick<StoredWorkspace, 'id' | 'mode'>[]
  forget(id: string): void
  /** Writes the sizes that only this node knows. */
  close(): Promise<void>
}

const recentMs = 1000
/** How often the time of the last use is written. */
const noteEveryMs = 60_000
const mostKnown = 1000

interface Known {
  row: StoredWorkspace
  readMs: number
  notedMs: number
  notedSize: WorkspaceSize
  allowance: CountedAllowance
  opened: Promise<OpenWorkspace>
}

export function createKnownWorkspaces(parts: WorkspaceParts, use: WorkspaceUse): KnownWorkspaces {
  const { now } = parts
  const known = new Map<string, Known>()

  function enter(row: StoredWorkspace): Known {
    const entry = known.get(row.id) ?? begin(row, parts)
    entry.row = row
    entry.readMs = now()
    // The oldest entries are dropped, so this one becomes the youngest.
    known.delete(row.id)
    known.set(row.id, entry)
    dropOldest(known, use)
    return entry
  }

  async function measure(id: string, heldBytes = 0): Promise<WorkspaceSize> {
    const entry = known.get(id)
    if (entry === undefined) throw workspaceNotFound(id)
    return recount(entry, heldBytes, parts)
  }

  return {
    async open(row) {
      const entry = enter(row)
      try {
        const opened = await entry.opened
        if (now() - entry.notedMs >= noteEveryMs) await note(entry, parts)
        return opened
      } catch (error) {
        known.delete(row.id)
        throw error
      }
    },
    recent(id) {
      const entry = known.get(id)
      return entry !== undefined && now() - entry.readMs < recentMs ? entry.row : undefined
    },
    sizeOf(row) {
      const { bytes, files } = known.get(row.id)?.allowance.usage() ?? row
      return { bytes, files }
    },
    measure,
    async assertKept(id) {
      try {
        known.get(id)?.allowance.assertKept()
      } catch {
        await measure(id)
      }
    },
    setMode(id, mode) {
      const entry = known.get(id)
      if (entry !== undefined) entry.row = { ...entry.row, mode }
    },
    listKnown: (tenant) =>
      [...known.values()].flatMap(({ row }) => (row.tenant === tenant ? [row] : [])),
    forget: (id) => void known.delete(id),
    close: () => noteGrown([...known.values()], parts),
  }
}

async function noteGrown(entries: readonly Known[], parts: WorkspaceParts): Promise<void> {
  for (const entry of entries.filter(hasGrown)) {
    await note(entry, parts).catch((error: unknown) => {
      parts.onWarning(`The size of ${entry.row.id} was not recorded: ${String(error)}`)
    })
  }
}

async function note(entry: Known, { store, now }: WorkspaceParts): Promise<void> {
  const { bytes, files } = entry.allowance.usage()
  entry.notedMs = now()
  entry.notedSize = { bytes, files }
  await store.note(entry.row.tenant, entry.row.id, entry.notedSize)
}

async function recount(
  entry: Known,
  heldBytes: number,
  parts: WorkspaceParts,
): Promise<WorkspaceSize> {
  const { files } = await entry.opened
  const found = await files.measure(parts.config.maxFiles * 2)
  const size = { ...found, bytes: found.bytes + heldBytes }
  entry.allowance.set(size)
  await note(entry, parts)
  entry.allowance.assertKept()
  return size
}

function begin(row: StoredWorkspace, parts: WorkspaceParts): Known {
  const allowance = createAllowance(row, parts.config)
  const notedSize = { bytes: row.bytes, files: row.files }
  const state = { row, readMs: 0, notedMs: row.usedMs, notedSize, allowance }
  return Object.assign(state, { opened: openOne(state, parts) })
}

async function openOne(
  state: Pick<Known, 'row' | 'allowance'>,
  { disk, config }: WorkspaceParts,
): Promise<OpenWorkspace> {
  const { id, tenant, uid, place, createdMs, usedMs } = state.row
  const { allowance } = state
  const found = await disk()
  if (place !== found.place) throw elsewhere(id)
  const folder = found.find(id)
  const owner = toOwner(uid)
  const mode = () => state.row.mode
  const assertWritable = () => assertMode(id, mode())
  const files = found.files({ id, owner, allowance, mode, assertWritable })
  // A crash may have come before the last size was written.
  if (usedMs !== createdMs) allowance.set(await files.measure(config.maxFiles * 2))
  return {
    id,
    tenant,
    folder,
    owner: found.needsOwner ? owner : undefined,
    files,
    get mode() {
      return mode()
    },
  }
}

/** The same for missing ones and for those of others. */
export function workspaceNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no workspace ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib workspaces lists those that you may see.',
  })
}

export function toOwner(uid: number | undefined) {
  return uid === undefined ? undefined : { uid, gid: uid }
}

function assertMode(id: string, mode: WorkspaceMode): void {
  if (mode !== 'read-only') return
  throw new ToolError('denied', `The workspace ${id} is read-only`, {
    fix: `Someone with workspaces.write can change that first: toolcrib workspaces set ${id} --mode ask.`,
  })
}

function elsewhere(id: string): ToolError {
  return new ToolError('workspace_unavailable', `The files of ${id} are on another server`, {
    fix: 'Set workspaces.folder of every server to the same shared folder, or delete the workspace to begin an empty one.',
  })
}

function hasGrown({ allowance, notedSize }: Known): boolean {
  const { bytes, files } = allowance.usage()
  return bytes !== notedSize.bytes || files !== notedSize.files
}

function dropOldest(known: Map<string, Known>, { isBusy }: WorkspaceUse): void {
  if (known.size <= mostKnown) return
  for (const id of known.keys()) {
    if (isBusy(id)) continue
    known.delete(id)
    return
  }
}
