import type { McpServer } from '../../core/gateway/mcp-servers-api.ts'
import type { ServerStatus } from '../../core/gateway/server-status.ts'
import type { KnownMcpServer } from './find-server.ts'

/** A server with how it fares, as people see it. */
export function toMcpServer(known: KnownMcpServer, status: ServerStatus | undefined): McpServer {
  const { name, spec, closed, rule, isDeclared, isForEveryone } = known
  const { verdict, about, listedAt, tools = [] } = status ?? {}
  const count = (state: string) => tools.filter((tool) => tool.state === state).length
  return {
    ...spec,
    name,
    transport: transportOf(known),
    isDeclared,
    isForEveryone,
    ...stateOf(known, status),
    toolCounts: {
      ready: count('ready'),
      quarantined: count('quarantined'),
      leftOut: count('left out'),
    },
    ...(closed !== undefined && { reason: closed }),
    ...(verdict !== undefined && { protocol: { version: verdict.version, era: verdict.era } }),
    ...(about !== undefined && { about }),
    ...(listedAt !== undefined && { listedAt: new Date(listedAt).toISOString() }),
    ...(rule !== undefined && { updatedAt: rule.updatedAt, updatedBy: rule.updatedBy }),
  }
}

function transportOf({ spec }: KnownMcpServer): McpServer['transport'] {
  if (spec === undefined) return 'unknown'
  return spec.command === undefined ? 'http' : 'stdio'
}

function stateOf(
  { name, spec }: KnownMcpServer,
  status: ServerStatus | undefined,
): Pick<McpServer, 'state' | 'reason' | 'fix'> {
  if (spec === undefined) return { state: 'closed', fix: 'Remove it, or let it be used again.' }
  if (!spec.enabled) return { state: 'disabled', fix: `toolcrib mcp enable ${name}` }
  const state = status?.state ?? 'connecting'
  const reason = status?.reason
  return { state, ...(reason !== undefined && { reason }), ...fixOf(state, name) }
}

function fixOf(state: ServerStatus['state'], name: string): { fix?: string } {
  if (state === 'unauthorized') return { fix: `Sign in: toolcrib mcp login ${name}` }
  if (state === 'down') return { fix: `See what is wrong: toolcrib mcp test ${name}` }
  return {}
}
