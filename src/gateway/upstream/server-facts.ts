import type { Dispatcher } from 'undici'
import type { EraVerdict, ServerKey } from '../../core/gateway/gateway-store.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import { canonicalJson } from '../../core/kernel/json/canonical-json.ts'
import type { ServerSettings } from '../../core/gateway/gateway.ts'
import type { GatewayPorts } from '../ports.ts'

/** What a server is. Of its spec, what it is reached by stays the same. */
export interface ServerFacts {
  key: ServerKey
  isForEveryone: boolean
  spec: ServerSettings
  ports: GatewayPorts
  /** Asked for with the first connection over HTTP. */
  dispatcher(): Dispatcher
  /** The end of the server that stood here before it: both at once may be in each other's way. */
  predecessor?: Promise<void> | undefined
}

/** What a server is reached by: with something else here it is stopped and started anew. */
export function wayTo(spec: ServerSettings): string {
  const { command, args, env, cwd, url, headers, oauth, private: isPrivate, enabled } = spec
  const given = { command, args, env, cwd, url, headers, oauth, isPrivate, enabled }
  return canonicalJson({ ...given, restartedAt: spec.restartedAt })
}

/** Of what reaches it: a server that is reached otherwise is another one, about which nothing is known. */
export function fingerprintOf({ command, args, cwd, url }: McpServerSpec): string {
  return canonicalJson({ command: command ?? null, args, cwd: cwd ?? null, url: url ?? null })
}

const trustedMs = 86_400_000

/** A verdict that may be believed. Servers learn new protocols with their updates, so an old one is asked for anew. */
export function youngVerdict(verdict: EraVerdict | undefined, now: number): EraVerdict | undefined {
  return verdict !== undefined && now - verdict.checkedAt < trustedMs ? verdict : undefined
}
