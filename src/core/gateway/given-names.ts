import type { McpServerSpec } from './server-spec.ts'

/** A name in place of a value, as a whole word: `secret:github_token`, `Bearer secret:github_token`, `env:HOME`. */
export const namedValue = /(?<![^\s])(secret|env):([A-Za-z_][A-Za-z0-9_.-]*)(?![^\s])/g

/** Names that a server's specification asks for. */
interface GivenNames {
  secrets: string[]
  env: string[]
}

/** What a spec refers to by name, in its environment, headers and client secret. */
export function namesIn({ env, headers, oauth }: McpServerSpec): GivenNames {
  const texts = [...Object.values(env), ...Object.values(headers), oauth?.clientSecret ?? '']
  const found = texts.flatMap((text) => [...text.matchAll(namedValue)])
  const of = (kind: string) =>
    [...new Set(found.flatMap(([, is, name = '']) => (is === kind ? [name] : [])))].sort()
  return { secrets: of('secret'), env: of('env') }
}

/** Is the server another one for every tenant, because it is reached with a tenant's own secrets? */
export function isPerTenant(spec: McpServerSpec): boolean {
  return spec.oauth !== undefined || namesIn(spec).secrets.length > 0
}
