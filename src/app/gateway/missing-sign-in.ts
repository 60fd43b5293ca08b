import type { MissingTools } from '../../core/explain/refusals.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { signInRequired } from '../../gateway/oauth/sign-in-required.ts'
import type { ToolSight } from './tool-sight.ts'

/** Before the first sign-in nobody knows which tools a server has: whoever may use it is told of that. */
export function createMissingSignIn(
  gateway: Pick<Gateway, 'findStatus'>,
  sees: ToolSight,
): MissingTools {
  return async (caller, tool) => {
    const [prefix, server] = /^mcp:([^:]+):/.exec(tool) ?? []
    if (prefix === undefined || server === undefined) return undefined
    const status = gateway.findStatus({ tenant: caller.tenant, server })
    const isUnknown = status?.state === 'unauthorized' && status.listedAt === undefined
    return isUnknown && (await sees(caller, prefix)) ? signInRequired(server) : undefined
  }
}
