import { isSamePrincipal } from '../../core/kernel/caller.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { holds } from '../../core/operations/require-permission.ts'
import { type OpenWorkspace, workspaceNotFound } from './known-workspaces.ts'
import type { WorkspaceOperationParts } from './parts.ts'
import type { StoredWorkspace } from './workspace-store.ts'

/** One that the caller may see: their own, or any with `workspaces.read`. */
export async function findWorkspaceFor(
  { workspaces }: Pick<WorkspaceOperationParts, 'workspaces'>,
  caller: Caller,
  id: string,
): Promise<StoredWorkspace> {
  const found = await workspaces.store.find(caller.tenant, id)
  if (found === undefined || !maySee(caller, found)) throw workspaceNotFound(id)
  return found
}

/** The same, ready to be read or changed. */
export async function openFor(
  parts: Pick<WorkspaceOperationParts, 'workspaces'>,
  caller: Caller,
  id: string,
): Promise<OpenWorkspace> {
  return parts.workspaces.openStored(await findWorkspaceFor(parts, caller, id))
}

function maySee(caller: Caller, { principal, agent }: StoredWorkspace): boolean {
  // A caller that is bound to an agent reaches only what belongs to that.
  if (caller.agent !== undefined && caller.agent !== agent) return false
  const isOwn = [caller.principal, caller.onBehalfOf].some((one) => isSamePrincipal(one, principal))
  return isOwn || holds(caller, 'workspaces.read')
}
