import type { WrittenPatterns } from '../../core/policy/idle-patterns.ts'
import type { PolicyDocumentKind } from '../../core/rules/governance-api.ts'
import { createTenantRules } from '../governance/create-tenant-rules.ts'

/** Warnings for whoever has just written patterns that match no tool of the tenant. */
export function findPatternWarnings(
  tenant: string,
  lists: readonly WrittenPatterns[],
  parts: Parameters<typeof createTenantRules>[0],
): Promise<string[]> {
  return createTenantRules(parts).findPatternWarnings(tenant, lists)
}

/** The patterns of a level, a profile or a group. */
export function policyDocumentPatterns(kind: PolicyDocumentKind, body: unknown): WrittenPatterns[] {
  if (kind === 'pack') return []
  if (kind === 'group') return [{ where: 'pattern', patterns: body as readonly string[] }]
  return levelPatterns(body as Partial<Record<'allow' | 'deny', readonly string[]>>)
}

/** What is let through, and what never is. */
export function levelPatterns({
  allow = [],
  deny = [],
}: Partial<Record<'allow' | 'deny', readonly string[]>>): WrittenPatterns[] {
  return [
    { where: 'allow', patterns: allow },
    { where: 'deny', patterns: deny },
  ]
}
