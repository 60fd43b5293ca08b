import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client'
import type { Dispatcher } from 'undici'
import type { Caller, Principal } from '../core/kernel/call.ts'
import type { EventPayloads, EventType } from '../core/events/event.ts'
import type { GatewayStore, ServerKey } from '../core/gateway/gateway-store.ts'
import type { McpServerSpec } from '../core/gateway/server-spec.ts'
import type { ToolPin } from '../core/gateway/tool-pin.ts'

/** For whom a connection is made; without a principal, for the tenant as a whole. */
export interface AuthRequest extends ServerKey {
  spec: McpServerSpec
  principal?: Principal
}

/** A way to sign in while a call waits. */
export interface SignInPrompt {
  begin(request: AuthRequest): Promise<{ url: string }>
  /** The clock that sign-ins are timed by. */
  now(): number
  /** Has this principal signed in since? */
  isDone(request: AuthRequest, sinceMs: number): Promise<boolean>
}

/** The accepted definitions of servers' tools. */
export interface PinBook {
  /** By the server's own names of its tools. A pin that can't be read comes as undefined: its tool stays closed. */
  read(key: ServerKey): Promise<ReadonlyMap<string, ToolPin | undefined>>
  /** Tools that are seen for the first time. A pin that is there already stays. */
  add(key: ServerKey, pins: ReadonlyMap<string, ToolPin>): Promise<void>
  /** Takes the place of pins of an earlier version, where these are still there. */
  renew(key: ServerKey, pins: ReadonlyMap<string, ToolPin>): Promise<void>
}

/** Dependencies of the gateway. Created once by `app`. */
export interface GatewayPorts {
  store: GatewayStore
  pins: PinBook
  /** Values of the tenant's secrets that are set. */
  readSecrets(tenant: string, names: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Values of this machine's environment variables that are set. */
  readEnv(names: readonly string[]): Readonly<Record<string, string>>
  /**
   * The sign-in of a server with `oauth`. Undefined if nobody has signed in: the call ends with
   * `unauthorized` and the address of the sign-in. Requested for every new connection.
   */
  authFor?(request: AuthRequest): Promise<AuthProvider | OAuthClientProvider | undefined>
  /** Through which requests to servers over HTTP go; a tenant's must not reach what only the operator may. */
  dispatcherFor(key: ServerKey, spec: McpServerSpec): Dispatcher
  /** Sends the caller to the sign-in page, if their client supports that. */
  signIn?: SignInPrompt
  /** Does this caller see a tool of this server, or would it, where there is none? */
  seesTools(caller: Caller, server: string): Promise<boolean>
  /** Records an event of a server, never with a secret. */
  tell<T extends EventType>(tenant: string, type: T, data: EventPayloads[T]): void
  /** Tools, prompts, resources or the state of a server have changed. */
  onChange(key: ServerKey): void
  onWarning(message: string): void
  now(): number
}
