import { type WorkspaceMode, workspaceModes } from '../../core/kernel/context/workspace.ts'
import type { KnownWorkspaces } from './known-workspaces.ts'
import type { WorkspaceStore } from './workspace-store.ts'

type Listener = (id: string) => Promise<void>

interface ChangeParts {
  store: Pick<WorkspaceStore, 'findAll'>
  known: Pick<KnownWorkspaces, 'setMode' | 'listKnown' | 'forget'>
}

/** Changes of workspaces in use on this node, made here or on another one. */
export interface WorkspaceChanges {
  /** Called when fewer changes to a workspace are allowed than before. */
  onNarrow(listener: Listener): void
  /** Called before the folder of a workspace is removed. */
  onRemove(listener: Listener): void
  setMode(id: string, before: WorkspaceMode, mode: WorkspaceMode): Promise<void>
  remove(id: string): Promise<void>
  /** Finds out what other nodes have changed in the workspaces of a tenant that are in use here. */
  apply(tenant: string): Promise<void>
}

export function createWorkspaceChanges({ store, known }: ChangeParts): WorkspaceChanges {
  const narrowing: Listener[] = []
  const removing: Listener[] = []

  async function setMode(id: string, before: WorkspaceMode, mode: WorkspaceMode): Promise<void> {
    known.setMode(id, mode)
    const isNarrower = workspaceModes.indexOf(mode) < workspaceModes.indexOf(before)
    if (isNarrower) for (const listener of narrowing) await listener(id)
  }
  async function remove(id: string): Promise<void> {
    known.forget(id)
    for (const listener of removing) await listener(id)
  }
  return {
    onNarrow: (listener) => void narrowing.push(listener),
    onRemove: (listener) => void removing.push(listener),
    setMode,
    remove,
    async apply(tenant) {
      const before = known.listKnown(tenant)
      if (before.length === 0) return
      const ids = before.map(({ id }) => id)
      const rows = new Map((await store.findAll(tenant, ids)).map((row) => [row.id, row]))
      // All at once: what runs in one workspace ends no later because of another.
      await Promise.all(
        before.map(({ id, mode }) => {
          const row = rows.get(id)
          return row === undefined ? remove(id) : setMode(id, mode, row.mode)
        }),
      )
    },
  }
}
