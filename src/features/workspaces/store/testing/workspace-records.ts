import { createId } from '../../../../core/kernel/ids.ts'
import type { OpenStores } from '../../../open-stores.ts'
import type { StoredWorkspace, WorkspaceStore } from '../../workspace-store.ts'
import { createWorkspaceStore } from '../workspace-store.ts'

export const ada = { kind: 'user', id: 'ada' } as const

/** A workspace of this tenant, as it is stored. */
export function aStoredWorkspace(
  tenant: string,
  more: Partial<StoredWorkspace> = {},
): StoredWorkspace {
  const id = createId('ws')
  return {
    tenant,
    id,
    ownerKey: `key of ${id}`,
    sessionId: 'a session',
    agent: undefined,
    principal: ada,
    uid: undefined,
    mode: 'free',
    place: 'here',
    bytes: 0,
    files: 0,
    createdMs: 1000,
    usedMs: 1000,
    ...more,
  }
}

export function workspacesOf({ engine }: Pick<OpenStores, 'engine'>): WorkspaceStore {
  return createWorkspaceStore(engine)
}
