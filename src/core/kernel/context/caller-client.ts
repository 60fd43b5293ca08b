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
 * What the program at the other end of a call may be able to do while the call runs: answer
 * questions, or (`tasks`) come back later for the result.
 */
export type ClientAbility = (typeof clientAbilities)[number]

/** One question to it, as MCP words it. */
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
 * Whoever made the call, as far as it can be asked something while the call runs. Doors whose
 * callers can be asked bring one; where there is none, a tool that needs an answer fails with
 * `client_unable`.
 */
export interface CallerClient {
  readonly abilities: ReadonlySet<ClientAbility>
  /**
   * Asks all of these at once and resolves with the answers under the same keys. Rejects with
   * `client_unable` where the client can't answer one of them, and when it leaves.
   */
  ask(requests: Readonly<Record<string, ClientRequest>>): Promise<Record<string, JsonValue>>
  /** A line for its log, if it wants one of that level. */
  log(line: { level: ClientLogLevel; logger?: string; data: JsonValue }): void
}
