import type { MissingTools } from '../../core/explain/refusals.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { signInRequired } from '../../gateway/oauth/sign-in-required.ts'
import type { ToolSight } from '../gateway/tool-sight.ts'
import type { ServerFinder } from './find-server.ts'

interface MissingSignInOptions {
  servers: Pick<ServerFinder, 'list'>
  gateway: Pick<Gateway, 'findStatus'>
  sees: ToolSight
}

/** Before the first sign-in nobody knows which tools a server has: whoever may use it is told of that. */
export function createMissingSignIn({
  servers,
  gateway,
  sees,
}: MissingSignInOptions): MissingTools {
  return async (caller, tool) => {
    const [prefix, name] = /^mcp:([^:]+):/.exec(tool) ?? []
    if (prefix === undefined || name === undefined) return undefined
    const { tenant } = caller
    const known = (await servers.list(tenant)).find((server) => server.name === name)
    if (known?.spec?.oauth === undefined) return undefined
    const { state, listedAt } = gateway.findStatus({ tenant, server: name }) ?? {}
    const isUnknown = listedAt === undefined && (state === 'unauthorized' || state === 'connecting')
    return isUnknown && (await sees(caller, prefix)) ? signInRequired(name) : undefined
  }
}
