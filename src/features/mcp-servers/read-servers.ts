import { type McpServerSpec, mcpServerSchema } from '../../core/gateway/server-spec.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { TenantView } from '../../core/rules/tenant-view.ts'
import { readKept, withheldFrom } from './secret-use.ts'
import { type ServerTerms, stdioMode } from './server-rules.ts'

/** A server that a tenant has stored. */
export interface StoredServer {
  rule: Rule
  /** Undefined if it is closed. */
  spec?: McpServerSpec
  /** Why it is not used. */
  closed?: string
}

/** A tenant's own servers. One that can't be read or is no longer allowed is closed. */
export function readServers(view: TenantView | undefined, terms: ServerTerms): StoredServer[] {
  return (view?.rules.get('mcp-server') ?? []).map((rule) => readServer(rule, terms))
}

export function readServer(rule: Rule, terms: ServerTerms): StoredServer {
  const kept = readKept(rule.body)
  const { data: spec } = mcpServerSchema.safeParse(kept.body)
  if (spec === undefined) return { rule, closed: 'it is stored in an unknown format' }
  if (rule.isDeclared) return { rule, spec }
  const withheld = withheldFrom(spec, kept)
  if (withheld !== undefined) return { rule, closed: withheld }
  if (spec.command === undefined) return { rule, spec }
  const { programs } = terms.gateway
  const isAllowed = programs === undefined || programs.includes(spec.command)
  const mayRun = rule.tenant === defaultTenant && stdioMode(terms) === 'operators' && isAllowed
  return mayRun
    ? { rule, spec }
    : { rule, closed: 'the configuration no longer allows its program (gateway.stdio)' }
}
