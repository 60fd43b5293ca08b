import type { Caller } from '../../core/kernel/call.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { ServerStatus } from '../../core/gateway/server-status.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import { holds } from '../../core/operations/require-permission.ts'
import type { KnownMcpServer } from './find-server.ts'
import type { McpServer } from './schemas.ts'

/** A server with its status, as members of a tenant see it. */
export function toMcpServer(
  known: KnownMcpServer,
  status: ServerStatus | undefined,
  viewer: Pick<Caller, 'tenant' | 'home' | 'permissions'>,
): McpServer {
  const { name, closed, rule, isDeclared, isForEveryone } = known
  const isAtHome = (viewer.home ?? viewer.tenant) === defaultTenant
  const spec = isForEveryone && !isAtHome ? withoutSettings(known.spec) : known.spec
  const { verdict, about, listedAt } = status ?? {}
  return {
    ...spec,
    name,
    transport: transportOf(known),
    isDeclared,
    isForEveryone,
    ...stateOf(known, status && withErrors(status, known, viewer)),
    toolCounts: toCounts(status),
    ...(closed !== undefined && { reason: closed }),
    ...(verdict !== undefined && { protocol: { version: verdict.version, era: verdict.era } }),
    ...(about !== undefined && { about }),
    ...(listedAt !== undefined && { listedAt: new Date(listedAt).toISOString() }),
    ...(rule !== undefined && { updatedAt: rule.updatedAt, updatedBy: rule.updatedBy }),
  }
}

function toCounts({ tools, beyond }: Partial<ServerStatus> = {}): McpServer['toolCounts'] {
  const count = (wanted: string) => tools?.filter(({ state }) => state === wanted).length ?? 0
  return {
    ready: count('ready'),
    quarantined: count('quarantined'),
    leftOut: count('left out'),
    ...(beyond !== undefined && { beyond }),
  }
}

/** Only the operator of the installation sees how shared servers are started and reached. */
function withoutSettings(spec: McpServerSpec | undefined): Partial<McpServerSpec> | undefined {
  if (spec === undefined) return undefined
  const { url, oauth } = spec
  const shown: Partial<McpServerSpec> = { ...spec }
  for (const key of ['command', 'args', 'env', 'cwd', 'headers'] as const) delete shown[key]
  return {
    ...shown,
    ...(url !== undefined && { url: new URL(url).origin }),
    ...(oauth !== undefined && { oauth: { scopes: oauth.scopes, perUser: oauth.perUser } }),
  }
}

/**
 * Only managers of a server see its program's output: others may belong to another tenant, or only
 * have read access.
 */
function withErrors(
  status: ServerStatus,
  { owner }: KnownMcpServer,
  viewer: Pick<Caller, 'tenant' | 'permissions'>,
): ServerStatus {
  const { reason, errorOutput = '' } = status
  const last = toLastWords(errorOutput.trim().split('\n'))
  const isTheirs = viewer.tenant === owner && holds(viewer, 'mcp.manage')
  if (reason === undefined || last === '' || !isTheirs) return status
  return { ...status, reason: `${reason}: ${last}` }
}

/**
 * The line with the error; the following lines of a runtime contain the location, not the cause.
 */
function toLastWords(lines: readonly string[]): string {
  const telling = lines.findLast((line) => /error\b/i.test(line))?.trim()
  return (telling ?? lines.slice(-3).join(' / ')).slice(-400)
}

function transportOf({ spec }: KnownMcpServer): McpServer['transport'] {
  if (spec === undefined) return 'unknown'
  return spec.command === undefined ? 'http' : 'stdio'
}

function stateOf(
  { name, spec }: KnownMcpServer,
  status: ServerStatus | undefined,
): Pick<McpServer, 'state' | 'reason' | 'fix'> {
  if (spec === undefined) return { state: 'closed', fix: 'Remove it, or enable it again.' }
  if (!spec.enabled) return { state: 'disabled', fix: `toolcrib mcp enable ${name}` }
  const state = status?.state ?? 'connecting'
  const reason = status?.reason
  return { state, ...(reason !== undefined && { reason }), ...fixOf(state, name, status) }
}

function fixOf(
  state: ServerStatus['state'],
  name: string,
  status: ServerStatus | undefined,
): { fix?: string } {
  if (state === 'unauthorized') return { fix: `Sign in: toolcrib mcp login ${name}` }
  const { retryAt } = status ?? {}
  const again = retryAt === undefined ? '' : ` The next attempt is at ${toTime(retryAt)}.`
  if (state === 'down') return { fix: `Find the cause: toolcrib mcp test ${name}.${again}` }
  if (retryAt !== undefined)
    return { fix: `List its tools now: toolcrib mcp refresh ${name}.${again}` }
  return {}
}

function toTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
}
