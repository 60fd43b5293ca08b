import type { McpServerSpec } from './server-spec.ts'

/**
 * A name instead of a value, as a whole word: `secret:github_token`, `Bearer secret:github_token`,
 * `env:HOME`.
 */
export const namedValue = /(?<![^\s])(secret|env):([A-Za-z_][A-Za-z0-9_.-]*)(?![^\s])/g

/** Names that a server's specification refers to. */
interface GivenNames {
  secrets: string[]
  env: string[]
}

/** The names used in a spec's environment, headers and client secret. */
export function namesIn({ env, headers, oauth }: McpServerSpec): GivenNames {
  const texts = [...Object.values(env), ...Object.values(headers), oauth?.clientSecret ?? '']
  const found = texts.flatMap((text) => [...text.matchAll(namedValue)])
  const of = (kind: string) =>
    [...new Set(found.flatMap(([, is, name = '']) => (is === kind ? [name] : [])))].sort()
  return { secrets: of('secret'), env: of('env') }
}

/** True if the server differs per tenant, because it is reached with a tenant's own secrets. */
export function isPerTenant(spec: McpServerSpec): boolean {
  return spec.oauth !== undefined || namesIn(spec).secrets.length > 0
}
