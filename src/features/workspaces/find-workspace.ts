import { isSamePrincipal } from '../../core/kernel/caller.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
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

/** The same, for those who may change its files: the person whose it is, or `workspaces.write`. */
export async function openToChange(
  parts: Pick<WorkspaceOperationParts, 'workspaces'>,
  caller: Caller,
  id: string,
): Promise<OpenWorkspace> {
  const found = await findWorkspaceFor(parts, caller, id)
  const mayChange = isOwn(caller, found) && holds(caller, 'tools.call')
  if (mayChange || holds(caller, 'workspaces.write')) return parts.workspaces.openStored(found)
  throw new ToolError('forbidden', 'Changing files here needs the permission workspaces.write', {
    fix: 'In your own workspaces tools.call is enough (toolcrib whoami shows your permissions).',
  })
}

function maySee(caller: Caller, workspace: StoredWorkspace): boolean {
  // A caller that is bound to an agent reaches only what belongs to that.
  if (caller.agent !== undefined && caller.agent !== workspace.agent) return false
  return isOwn(caller, workspace) || holds(caller, 'workspaces.read')
}

function isOwn(caller: Caller, { principal }: StoredWorkspace): boolean {
  return [caller.principal, caller.onBehalfOf].some((one) => isSamePrincipal(one, principal))
}
