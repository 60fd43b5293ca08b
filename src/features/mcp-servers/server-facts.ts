import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import { namesIn } from '../../core/gateway/given-names.ts'

/** What an event says of a server: how it is reached, which secrets it gets, and nothing that could be one. */
export function toFacts(spec: McpServerSpec) {
  const { command, url, oauth, enabled } = spec
  const { secrets } = namesIn(spec)
  return {
    ...(command !== undefined && { command }),
    ...(url !== undefined && { url: new URL(url).origin + new URL(url).pathname }),
    ...(oauth !== undefined && { oauth: true }),
    ...(secrets.length > 0 && { secrets }),
    enabled,
  }
}
