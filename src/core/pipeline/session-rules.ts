import type { Caller, Decision } from '../kernel/call.ts'
import { addWorkspaceAsk } from '../policy/workspace-ask.ts'
import { decideFlow } from './data-flow.ts'
import type { ResolvedTool } from './find-tool.ts'
import type { PipelinePorts } from './ports.ts'

type SessionPorts = Pick<PipelinePorts, 'flags' | 'calls' | 'recorder' | 'now' | 'workspaceAccess'>

/**
 * The decision, given the state of the session: its flags and its workspace. No promise is returned
 * for tools that neither concerns.
 */
export function decideInSession(
  found: ResolvedTool,
  of: { caller: Caller; rootId?: string | undefined },
  ports: SessionPorts,
): Decision | Promise<Decision> {
  const flow = decideFlow(found, of, ports)
  const { workspaceAccess } = ports
  if (!workspaceAccess.mayAsk(found.entry.contract)) return flow
  const mode = workspaceAccess.modeFor(of.caller)
  return Promise.all([flow, mode]).then(([decision, mode]) => addWorkspaceAsk(decision, mode))
}
