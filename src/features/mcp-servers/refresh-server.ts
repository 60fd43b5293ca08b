import { storeTime } from '../../core/kernel/ids.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { ServerStatus } from '../../core/gateway/server-status.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import { type KnownMcpServer, serverNotFound } from './find-server.ts'
import { assertOwner, changeRules, type McpServerParts } from './parts.ts'
import type { McpServer } from './schemas.ts'
import { showServer } from './show-server.ts'
import { toMcpServer } from './to-mcp-server.ts'

/**
 * Connects now and lists its tools again; with `restart`, after ending open connections: for a declared
 * server on this node, for others on all.
 */
export async function refreshServer(
  parts: McpServerParts,
  caller: Caller,
  { name, restart }: { name: string; restart: boolean },
): Promise<McpServer> {
  const { servers, gateway, reload } = parts
  const known = await servers.findUsable(caller, name)
  assertOwner(caller, known)
  if (!known.spec.enabled) throw switchedOff(known)
  // Declared servers with a connection per tenant are loaded with the tenant's tools.
  await reload(caller.tenant)
  const key = { tenant: caller.tenant, server: name }
  const look = () => gateway.refresh(key, caller.principal, () => reload(caller.tenant))
  const looked = restart ? joinRestart(parts, caller, { known, look }) : look()
  const status = await looked.catch((error: unknown) => {
    // The restart has happened in any case, and a caller who has not signed in must not see another account.
    if (!restart || !isToolError(error) || error.code !== 'sign_in_required') throw error
  })
  if (status !== undefined) return toMcpServer(await servers.find(caller, name), status, caller)
  await reload(caller.tenant)
  return showServer(parts, caller, name)
}

/** A restart requested during another one joins it; otherwise each would end the other's connections. */
function joinRestart(
  parts: McpServerParts,
  caller: Caller,
  { known, look }: { known: KnownMcpServer; look: () => Promise<ServerStatus> },
): Promise<ServerStatus> {
  const { restarts } = parts
  const place = `${caller.tenant}/${known.name}`
  const joined = restarts.get(place)
  if (joined !== undefined) return joined
  const begun = startAnew(parts, caller, known)
    .then(look)
    .finally(() => restarts.delete(place))
  restarts.set(place, begun)
  return begun
}

async function startAnew(
  parts: McpServerParts,
  caller: Caller,
  { name, isDeclared }: KnownMcpServer,
): Promise<void> {
  if (isDeclared) await parts.gateway.stop({ tenant: caller.tenant, server: name })
  else await markRestart(parts, caller, name)
}

/** Restarts it on all nodes: each node sees a mark that is new to it. */
async function markRestart(parts: McpServerParts, caller: Caller, name: string): Promise<void> {
  await changeRules(parts, caller, async (draft) => {
    const rule = await draft.find('mcp-server', name)
    if (!isRecord(rule?.body)) throw serverNotFound(name)
    const restartedAt = new Date(storeTime()).toISOString()
    await draft.put('mcp-server', name, { body: { ...rule.body, restartedAt } })
    draft.tell('mcp.server.changed', { server: name, fields: ['restartedAt'] })
  })
}

function switchedOff({ name, isDeclared }: KnownMcpServer): ToolError {
  return new ToolError('conflict', `The MCP server ${name} is switched off`, {
    fix: isDeclared ? 'Enable it in the configuration.' : `toolcrib mcp enable ${name}`,
  })
}
