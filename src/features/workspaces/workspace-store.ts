import type { WorkspaceSize } from '../../core/host/workspace-disk.ts'
import type { WorkspaceMode } from '../../core/kernel/context/workspace.ts'
import type { Principal } from '../../core/kernel/call.ts'

/** A workspace in the table. */
export interface StoredWorkspace extends WorkspaceSize {
  tenant: string
  id: string
  ownerKey: string
  sessionId: string | undefined
  agent: string | undefined
  principal: Principal
  uid: number | undefined
  mode: WorkspaceMode
  /** The id of the folder that holds it. */
  place: string
  createdMs: number
  usedMs: number
}

export type RemovalReason = 'asked' | 'idle' | 'conversation deleted'

export interface WorkspaceQuery {
  sessionId?: string | undefined
  /** Only those of this principal. */
  principal?: Principal | undefined
  agent?: string | undefined
  after?: string | undefined
  limit: number
}

/** The table of workspaces. Everything is found by tenant and id together. */
export interface WorkspaceStore {
  /** False if there is none of any tenant. */
  hasAny(): Promise<boolean>
  /** Those of these ids that any tenant has, removed ones included. */
  listKnown(ids: readonly string[]): Promise<ReadonlySet<string>>
  find(tenant: string, id: string): Promise<StoredWorkspace | undefined>
  /** Those of these ids that there are. */
  findAll(tenant: string, ids: readonly string[]): Promise<StoredWorkspace[]>
  findOwned(tenant: string, ownerKey: string): Promise<StoredWorkspace | undefined>
  /** Newest first. */
  list(tenant: string, query: WorkspaceQuery): Promise<{ items: StoredWorkspace[]; next?: string }>
  /** All in this folder, of every tenant. */
  listPlace(
    place: string,
    page: { after?: string | undefined; limit: number },
  ): Promise<{ items: StoredWorkspace[]; next?: string }>
  /** Stores it unless its owner has one already; returns the one that counts. */
  create(workspace: StoredWorkspace): Promise<StoredWorkspace>
  /** The user id of a tenant, which no other tenant ever gets; never below `first`. */
  userOf(tenant: string, first: number): Promise<number>
  setMode(workspace: StoredWorkspace, by: Principal): Promise<boolean>
  /** Records its size and that it was used. */
  note(tenant: string, id: string, size: WorkspaceSize): Promise<void>
  /** Nobody finds it any more. False if somebody was faster. */
  beginRemoval(workspace: StoredWorkspace, by: Principal, because: RemovalReason): Promise<boolean>
  /** Call it once its folder is removed. */
  endRemoval(tenant: string, id: string): Promise<void>
  /** Those of this place whose removal has begun and not ended. */
  listRemoved(place: string, limit: number): Promise<StoredWorkspace[]>
  /** Those of this place that nobody has used since, or whose conversation was deleted. */
  listUnused(
    place: string,
    options: { usedBeforeMs: number; createdBeforeMs: number; limit: number },
  ): Promise<(StoredWorkspace & { because: RemovalReason })[]>
}
