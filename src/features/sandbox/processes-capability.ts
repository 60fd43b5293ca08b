import type { NetworkScope } from '../../core/host/network-policy.ts'
import type { ProcessOwner, Sandbox } from '../../core/host/sandbox.ts'
import type { Capability, CapabilityCall } from '../../core/pipeline/capabilities/capability.ts'
import type { ToolContract } from '../../core/kernel/tool.ts'
import type { NetworkAccess } from '../network/network-access.ts'
import type { OpenWorkspaces } from '../workspaces/open-workspaces.ts'

export interface RunningIn {
  sandbox: Pick<Sandbox, 'processesFor'>
  workspaces: OpenWorkspaces
  network: Pick<NetworkAccess, 'rules' | 'openEgress'>
  /** True for tools that need approval in a workspace that asks. */
  mayAsk(contract: ToolContract): boolean
}

/** `ctx.processes`: programs in the workspace of the session, by the rules of the tool's pack. */
export function processesCapability(parts: RunningIn): Capability<'processes'> {
  return (call) => parts.sandbox.processesFor(toOwner(call, parts))
}

function toOwner(call: CapabilityCall, parts: RunningIn): ProcessOwner {
  const { caller, callId, contract, isShielded } = call
  const { workspaces, mayAsk } = parts
  const { tenant, agent, parents } = caller
  const { pack, name } = contract
  const scope: NetworkScope = { tenant, agent, parents, pack, tool: name, isSandbox: true }
  return {
    caller,
    signal: call.signal(),
    measure: (id, heldBytes) => workspaces.measure(id, heldBytes),
    async folder() {
      const { id, tenant, folder, owner, files, mode } = await workspaces.open(caller)
      // In a workspace that asks, only a tool that was asked about may write.
      const mayWrite = mode === 'free' || (mode === 'ask' && mayAsk(contract))
      return { id, tenant, folder, owner, files, isReadOnly: !mayWrite || isShielded }
    },
    assertKept: (id) => workspaces.assertKept(id),
    ...(!isShielded && {
      openEgress: egressFor(scope, { callId, sessionId: caller.sessionId }, parts),
    }),
  }
}

/** A command without rules and relays gets no socket at all. */
function egressFor(
  scope: NetworkScope,
  from: { callId?: string; sessionId: string | undefined },
  { network }: Pick<RunningIn, 'network'>,
): NonNullable<ProcessOwner['openEgress']> {
  return async (door) => {
    const { allowsSome } = await network.rules.policyFor(scope)
    if (!allowsSome && door.relays === undefined) return undefined
    return network.openEgress({ scope, ...from, ...door })
  }
}
