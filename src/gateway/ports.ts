import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client'
import type { Dispatcher } from 'undici'
import type { Caller, Principal } from '../core/kernel/call.ts'
import type { EventType } from '../core/events/event.ts'
import type { GatewayStore, ServerKey } from '../core/gateway/gateway-store.ts'
import type { McpServerSpec } from '../core/gateway/server-spec.ts'
import type { ToolPin } from '../core/gateway/tool-pin.ts'
import type { JsonValue } from '../core/kernel/json.ts'

/** For whom a connection is made; without a principal, for the tenant as a whole. */
export interface AuthRequest extends ServerKey {
  spec: McpServerSpec
  principal?: Principal
}

/** A way to sign in while a call waits. */
export interface SignInDesk {
  begin(request: AuthRequest): Promise<{ url: string }>
  /** The clock that sign-ins are timed by. */
  now(): number
  /** Has this principal signed in since? */
  isDone(request: AuthRequest, sinceMs: number): Promise<boolean>
}

/** What was accepted of the tools of servers. */
export interface PinBook {
  /** By the server's own names of its tools. A pin that can't be read comes as undefined: its tool stays closed. */
  read(key: ServerKey): Promise<ReadonlyMap<string, ToolPin | undefined>>
  /** Tools that are seen for the first time. A pin that is there already stays. */
  add(key: ServerKey, pins: ReadonlyMap<string, ToolPin>): Promise<void>
  /** Takes the place of pins of an earlier version, where these are still there. */
  renew(key: ServerKey, pins: ReadonlyMap<string, ToolPin>): Promise<void>
}

/** What the gateway needs from outside. Made once by `app`. */
export interface GatewayPorts {
  store: GatewayStore
  pins: PinBook
  /** Values of the tenant's secrets that are set. */
  readSecrets(tenant: string, names: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Values of this machine's environment variables that are set. */
  readEnv(names: readonly string[]): Readonly<Record<string, string>>
  /**
   * How a server with `oauth` is signed in to. Undefined where nobody has signed in: the call ends
   * with `unauthorized` in words that say where to. Asked for every new connection.
   */
  authFor?(request: AuthRequest): Promise<AuthProvider | OAuthClientProvider | undefined>
  /** Through which requests to servers over HTTP go; a tenant's must not reach what only the operator may. */
  dispatcherFor?(key: ServerKey, spec: McpServerSpec): Dispatcher | undefined
  /** Sends whoever calls to where they sign in, where their client can be asked to. */
  signIn?: SignInDesk
  /** Does this caller see a tool of this server, or would it, where there is none? */
  seesTools(caller: Caller, server: string): Promise<boolean>
  /** Writes down what happened to a server; never with a secret in it. */
  tell(tenant: string, type: EventType, data: JsonValue): void
  /** Tools, prompts or resources of a server have changed, or how it stands. */
  onChange(key: ServerKey): void
  onWarning(message: string): void
  now(): number
}
