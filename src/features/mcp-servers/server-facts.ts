import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import { namesIn } from '../../core/gateway/given-names.ts'

/**
 * The part of a server's settings in events: its connection, the names of its secrets, and nothing
 * that could be a secret.
 */
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
