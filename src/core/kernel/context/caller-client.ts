import type { JsonValue } from '../json.ts'

export const clientAbilities = [
  'elicitation.form',
  'elicitation.url',
  'sampling',
  'sampling.tools',
  'roots',
  'tasks',
] as const

/**
 * An ability of the client while its call runs: answering questions, or (`tasks`) returning later
 * for the result.
 */
export type ClientAbility = (typeof clientAbilities)[number]

/** A question to the client, in the form MCP gives it. */
export interface ClientRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  params: JsonValue
}

export type ClientLogLevel =
  | 'debug'
  | 'info'
  | 'notice'
  | 'warning'
  | 'error'
  | 'critical'
  | 'alert'
  | 'emergency'

/**
 * The client that made the call, if it can be asked questions while the call runs. Doors with such
 * clients provide one; without it, a tool that needs an answer fails with `client_unable`.
 */
export interface CallerClient {
  readonly abilities: ReadonlySet<ClientAbility>
  /**
   * Sends all requests at once and resolves with the answers under the same keys. Rejects with
   * `client_unable` if the client can't answer one of them, or disconnects.
   */
  ask(requests: Readonly<Record<string, ClientRequest>>): Promise<Record<string, JsonValue>>
  /** Sends a log line, if the client wants that level. */
  log(line: { level: ClientLogLevel; logger?: string; data: JsonValue }): void
}
