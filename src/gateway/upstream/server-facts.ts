import type { Dispatcher } from 'undici'
import type { EraVerdict, ServerKey } from '../../core/gateway/gateway-store.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import { canonicalJson } from '../../core/kernel/json/canonical-json.ts'
import type { ServerSettings } from '../../core/gateway/gateway.ts'
import type { GatewayPorts } from '../ports.ts'

/** A server. The parts of its spec that connect to it stay the same. */
export interface ServerFacts {
  key: ServerKey
  isForEveryone: boolean
  spec: ServerSettings
  ports: GatewayPorts
  /** Asked for with the first connection over HTTP. */
  dispatcher(): Dispatcher
  /** The end of the previous server of this name: both at once may conflict. */
  predecessor?: Promise<void> | undefined
}

/** Connection settings: if one changes, the server is stopped and restarted. */
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

/**
 * A recent enough verdict. Servers learn new protocols with updates, so an old verdict is checked
 * again.
 */
export function youngVerdict(verdict: EraVerdict | undefined, now: number): EraVerdict | undefined {
  return verdict !== undefined && now - verdict.checkedAt < trustedMs ? verdict : undefined
}
