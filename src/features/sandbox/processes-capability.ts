import type { NetworkRules, NetworkScope, OpenEgress } from '../../core/host/network-policy.ts'
import type { ProcessOwner, Sandbox } from '../../core/host/sandbox.ts'
import type { Capability, CapabilityCall } from '../../core/pipeline/capabilities/capability.ts'
import type { ToolContract } from '../../core/kernel/tool.ts'
import type { OpenWorkspaces } from '../workspaces/open-workspaces.ts'

/** The network of sandboxes, by rules. */
export interface SandboxNetwork {
  readonly rules: {
    policyFor(
      scope: SandboxScope,
    ): Promise<Awaited<ReturnType<NetworkRules['policyFor']>> & { readonly allowsSome?: boolean }>
  }
  readonly openEgress: OpenEgress
}

interface SandboxScope extends NetworkScope {
  parents?: readonly string[] | undefined
  isSandbox: true
}

export interface RunningIn {
  sandbox: Pick<Sandbox, 'processesFor'>
  workspaces: OpenWorkspaces
  /** Without it commands reach no host. */
  network: SandboxNetwork | undefined
  /** True for tools that need approval in a workspace that asks. */
  mayAsk(contract: ToolContract): boolean
}

/** `ctx.processes`: programs in the workspace of the session, by the rules of the tool's pack. */
export function processesCapability(parts: RunningIn): Capability<'processes'> {
  return (call) => parts.sandbox.processesFor(toOwner(call, parts))
}

function toOwner(call: CapabilityCall, parts: RunningIn): ProcessOwner {
  const { caller, callId, contract } = call
  const { workspaces, mayAsk } = parts
  const { tenant, agent, parents } = caller
  const { pack, name } = contract
  const scope: SandboxScope = { tenant, agent, parents, pack, tool: name, isSandbox: true }
  return {
    caller,
    signal: call.signal(),
    measure: (id) => workspaces.measure(id),
    async folder() {
      const { id, tenant, folder, owner, files, mode } = await workspaces.open(caller)
      // In a workspace that asks, only a tool that was asked about may write.
      const mayWrite = mode === 'free' || (mode === 'ask' && mayAsk(contract))
      return { id, tenant, folder, owner, files, isReadOnly: !mayWrite }
    },
    ...(parts.network !== undefined && {
      openEgress: egressFor(scope, { callId, sessionId: caller.sessionId }, parts.network),
    }),
  }
}

/** A command without rules and relays gets no socket at all. */
function egressFor(
  scope: SandboxScope,
  from: { callId?: string; sessionId: string | undefined },
  network: SandboxNetwork,
): NonNullable<ProcessOwner['openEgress']> {
  return async (door) => {
    const { allowsSome = false } = await network.rules.policyFor(scope)
    if (!allowsSome && door.relays === undefined) return undefined
    return network.openEgress({ scope, ...from, ...door })
  }
}
