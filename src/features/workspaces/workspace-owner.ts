import type { Caller, Principal } from '../../core/kernel/call.ts'
import type { WorkspaceMode } from '../../core/kernel/context/workspace.ts'
import type { WorkspacesConfig } from './config.ts'

/** The owner of a workspace. */
export interface WorkspaceOwner {
  tenant: string
  /** The same key means the same workspace. Only compared: it never becomes a path. */
  key: string
  sessionId: string | undefined
  agent: string | undefined
  principal: Principal
  /** The mode that a new one gets. */
  mode: WorkspaceMode
}

/**
 * The owner of the workspace that a caller works in. Callers choose the names of their sessions, so
 * a session of the same name of somebody else has another workspace.
 */
export function workspaceOwner(caller: Caller, config: WorkspacesConfig): WorkspaceOwner {
  const { tenant, principal, onBehalfOf, sessionId, agent } = caller
  const person = onBehalfOf ?? principal
  const own = sessionId === undefined || isApart(caller, config) ? (agent ?? null) : null
  const settings = agent === undefined ? undefined : config.agents[agent]
  return {
    tenant,
    key: JSON.stringify([sessionId ?? null, person.kind, person.id, own]),
    sessionId,
    agent,
    principal: person,
    mode: settings?.mode ?? config.mode,
  }
}

/** An agent that another one has started, whose settings give it a workspace of its own. */
function isApart({ runtime, parents }: Caller, { agents }: WorkspacesConfig): boolean {
  const parent = parents?.[0]
  return runtime === 'subagent' && parent !== undefined && agents[parent]?.subagents === 'own'
}
