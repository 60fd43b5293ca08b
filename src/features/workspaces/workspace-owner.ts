import type { Caller, Principal } from '../../core/kernel/call.ts'
import type { WorkspaceMode } from '../../core/kernel/context/workspace.ts'
import type { AgentSpec } from '../../core/rules/rule-schemas.ts'

/** The settings of an agent for its workspaces. */
export type AgentWorkspace = Pick<AgentSpec, 'workspaceMode' | 'subagentWorkspace'>

/** Looks up an agent; undefined if it is not there or can't be read. */
export type FindAgentWorkspace = (
  tenant: string,
  slug: string,
) => Promise<AgentWorkspace | undefined>

/** The owner of a workspace. */
export interface WorkspaceOwner {
  tenant: string
  /** The same key means the same workspace. Only compared: it never becomes a path. */
  key: string
  sessionId: string | undefined
  agent: string | undefined
  principal: Principal
}

/**
 * The owner of the workspace that a caller works in. Callers choose the names of their sessions, so
 * a session of the same name of somebody else has another workspace.
 */
export async function workspaceOwner(
  caller: Caller,
  findAgent: FindAgentWorkspace,
): Promise<WorkspaceOwner> {
  const { tenant, principal, onBehalfOf, sessionId, agent } = caller
  const person = onBehalfOf ?? principal
  const isAlone = sessionId === undefined || (await isApart(caller, findAgent))
  const own = isAlone ? agent : leadOf(caller, person)
  return {
    tenant,
    key: JSON.stringify([sessionId ?? null, person.kind, person.id, own ?? null]),
    sessionId,
    agent,
    principal: person,
  }
}

/**
 * A key may be bound to one agent, and a visitor has tokens for several agents by the same key: what
 * one agent keeps in a session is closed to the other. Agents below it share with it.
 */
function leadOf({ agent, parents }: Caller, person: Principal): string | undefined {
  const lead = parents?.at(-1) ?? agent
  // Unlike the name of an agent that has a workspace of its own.
  return person.kind === 'user' || lead === undefined ? undefined : `lead:${lead}`
}

/** The mode that a new workspace gets. */
export async function newWorkspaceMode(
  { tenant, agent }: Pick<WorkspaceOwner, 'tenant' | 'agent'>,
  usual: WorkspaceMode,
  findAgent: FindAgentWorkspace,
): Promise<WorkspaceMode> {
  const settings = agent === undefined ? undefined : await findAgent(tenant, agent)
  return settings?.workspaceMode ?? usual
}

/** An agent that another one has started, whose settings give it a workspace of its own. */
async function isApart(
  { tenant, runtime, parents, agent }: Caller,
  findAgent: FindAgentWorkspace,
): Promise<boolean> {
  if (runtime !== 'subagent') return false
  // Without one above it, it was started by an agent like itself.
  const parent = parents?.[0] ?? agent
  if (parent === undefined) return false
  return (await findAgent(tenant, parent))?.subagentWorkspace === 'own'
}
