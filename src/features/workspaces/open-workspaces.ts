import type { WorkspaceSize } from '../../core/host/workspace-disk.ts'
import type { WorkspaceFolders } from '../../core/host/workspace-folder.ts'
import type { Caller, Principal } from '../../core/kernel/call.ts'
import type { WorkspaceMode } from '../../core/kernel/context/workspace.ts'
import { createId } from '../../core/kernel/ids.ts'
import { createWorkspaceChanges } from './apply-changes.ts'
import {
  createKnownWorkspaces,
  type OpenWorkspace,
  toOwner,
  type WorkspaceParts,
} from './known-workspaces.ts'
import {
  type FindAgentWorkspace,
  newWorkspaceMode,
  type WorkspaceOwner,
  workspaceOwner,
} from './workspace-owner.ts'
import type { RemovalReason, StoredWorkspace, WorkspaceStore } from './workspace-store.ts'

/** The workspaces of all tenants, for the feature and those that build on it. */
export interface OpenWorkspaces extends WorkspaceFolders {
  readonly store: WorkspaceStore
  open(caller: Caller): Promise<OpenWorkspace>
  /** One that is in the table. */
  openStored(workspace: StoredWorkspace): Promise<OpenWorkspace>
  /** The mode of the workspace that a caller would work in. Creates none. */
  modeFor(caller: Caller): Promise<WorkspaceMode>
  /** Throws `quota_exceeded` if it holds too much already. */
  assertKept(id: string): Promise<void>
  /** Its size as far as this node knows. */
  sizeOf(workspace: StoredWorkspace): WorkspaceSize
  /** Changes its mode. False if there is none any more. */
  setMode(workspace: StoredWorkspace, mode: WorkspaceMode, by: Principal): Promise<boolean>
  /** Removes a workspace with its files. False if it was removed already. */
  remove(workspace: StoredWorkspace, by: Principal, because: RemovalReason): Promise<boolean>
  /** Applies what other nodes have changed in the workspaces that are in use here. */
  applyChanges(tenant: string): Promise<void>
  /** Continues a removal that has begun. */
  finishRemoval(workspace: StoredWorkspace): Promise<void>
  /** Writes the sizes that only this node knows. */
  close(): Promise<void>
}

const mostIds = 10_000

interface OwnedParts extends WorkspaceParts {
  findAgent: FindAgentWorkspace
}

export function openWorkspaces(parts: OwnedParts): OpenWorkspaces {
  const { store, disk, config, findAgent } = parts
  const users: ((id: string) => boolean)[] = []
  const isBusy = (id: string) => users.some((uses) => uses(id))
  const known = createKnownWorkspaces(parts, { isBusy })
  const changes = createWorkspaceChanges({ store, known })
  const ids = new Map<string, string>()

  async function findRow({ tenant, key }: WorkspaceOwner): Promise<StoredWorkspace | undefined> {
    const name = `${tenant}\n${key}`
    const recent = known.recent(ids.get(name) ?? '')
    if (recent !== undefined) return recent
    const row = await store.findOwned(tenant, key)
    if (row === undefined) return undefined
    if (ids.size >= mostIds) ids.clear()
    ids.set(name, row.id)
    return row
  }

  async function finishRemoval({ tenant, id }: StoredWorkspace): Promise<void> {
    await changes.remove(id)
    await (await disk()).remove(id)
    await store.endRemoval(tenant, id)
  }

  return {
    store,
    openStored: known.open,
    async open(caller) {
      const owner = await workspaceOwner(caller, findAgent)
      return known.open((await findRow(owner)) ?? (await create(owner, parts)))
    },
    async modeFor(caller) {
      const owner = await workspaceOwner(caller, findAgent)
      return (await findRow(owner))?.mode ?? newWorkspaceMode(owner, config.mode, findAgent)
    },
    measure: known.measure,
    assertKept: known.assertKept,
    sizeOf: known.sizeOf,
    onRemove: changes.onRemove,
    onNarrow: changes.onNarrow,
    keepWhile: (uses) => void users.push(uses),
    async setMode(workspace, mode, by) {
      if (!(await store.setMode({ ...workspace, mode }, by))) return false
      await changes.setMode(workspace.id, workspace.mode, mode)
      return true
    },
    applyChanges: changes.apply,
    async remove(workspace, by, because) {
      if (!(await store.beginRemoval(workspace, by, because))) return false
      await finishRemoval(workspace)
      return true
    },
    finishRemoval,
    close: known.close,
  }
}

async function create(
  { tenant, key, sessionId, agent, principal }: WorkspaceOwner,
  { store, disk, config, now, findAgent }: OwnedParts,
): Promise<StoredWorkspace> {
  const mode = await newWorkspaceMode({ tenant, agent }, config.mode, findAgent)
  const { place, needsOwner, create: makeFolders, remove } = await disk()
  const uid = needsOwner ? await store.userOf(tenant, config.firstUser) : undefined
  const id = createId('ws')
  // First the folder: no row ever names one that was never made.
  await makeFolders(id, { tenant, owner: toOwner(uid) })
  const facts = { tenant, id, ownerKey: key, sessionId, agent, principal, uid, mode, place }
  const at = now()
  const row = { ...facts, bytes: 0, files: 0, createdMs: at, usedMs: at }
  const stored = await store.create(row)
  // Another call has just made one: that one counts.
  if (stored.id !== id) await remove(id)
  return stored
}
