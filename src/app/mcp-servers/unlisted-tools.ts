import { ToolError } from '../../core/kernel/errors.ts'
import type { MissingTools } from '../../core/explain/refusals.ts'
import type { ServerStatus } from '../../core/gateway/server-status.ts'
import type { Gateway } from '../../core/gateway/gateway.ts'
import { signInRequired } from '../../gateway/oauth/sign-in-required.ts'
import type { ToolSight } from '../gateway/tool-sight.ts'
import type { ServerFinder } from '../../features/mcp-servers/find-server.ts'

interface UnlistedToolsOptions {
  servers: Pick<ServerFinder, 'list'>
  gateway: Pick<Gateway, 'findStatus'>
  sees: ToolSight
}

/**
 * The tools of a server that has not been listed yet are unknown: its users get the reason, such as
 * a required sign-in or a failed connection.
 */
export function createUnlistedTools({
  servers,
  gateway,
  sees,
}: UnlistedToolsOptions): MissingTools {
  return async (caller, tool) => {
    const [, name] = /^mcp:([^:]+):/.exec(tool) ?? []
    if (name === undefined) return undefined
    const { tenant } = caller
    const known = (await servers.list(tenant)).find((server) => server.name === name)
    const status = gateway.findStatus({ tenant, server: name })
    if (known?.spec === undefined || status === undefined) return undefined
    const why = status.listedAt === undefined ? inTheWay(status, known.spec.oauth) : undefined
    return why !== undefined && (await sees(caller, name)) ? why : undefined
  }
}

function inTheWay({ server, state, reason }: ServerStatus, oauth?: object): ToolError | undefined {
  const isWaiting = state === 'unauthorized' || state === 'connecting'
  if (oauth !== undefined && isWaiting) return signInRequired(server)
  if (state === 'down') {
    const message = `The MCP server ${server} is down, and its tools are not known yet: ${reason}`
    return later(message, 'The connection is retried automatically: call it later.')
  }
  return state === 'connecting'
    ? later(`The MCP server ${server} is being started`, 'Call it again in a moment.')
    : undefined
}

function later(message: string, fix: string): ToolError {
  return new ToolError('upstream_failed', message, { fix, retryable: true })
}
