import type { Caller } from '../call.ts'
import type { SecretNotes, SecretSummary } from '../vault-ports.ts'
import type { SharedRequirement } from './merge-requirements.ts'

export interface ListedSecret extends SecretSummary {
  /** Tools that declare it. */
  usedBy: readonly string[]
}

/** A secret that tools declare, and how it stands. */
export interface SecretNeed extends SharedRequirement {
  /** The tenant has a value for it. */
  isSet: boolean
  /** Agents with a value of their own, in the order of their names; the first hundred. */
  agents: readonly { agent: string; value?: string }[]
  /** How many more there are. */
  moreAgents?: number
  /** The tenant's value; only of a choice from a list that is not sensitive. */
  value?: string
  /** Its tool or pack brings a way to try it out. */
  hasCheck: boolean
}

export interface SecretOverview {
  /** By name, the tenant's own before those of agents. */
  items: ListedSecret[]
  /** With the first page; further ones have none. */
  requirements: SecretNeed[]
  /** Read on after this, where there is more. */
  next?: string
}

/** What came of trying a secret out. `unchecked`: there is no check for it. */
export interface SecretTest {
  name: string
  status: 'good' | 'bad' | 'unchecked'
  message?: string
  /** Tools whose checks were run. */
  checkedBy: readonly string[]
}

/** Secrets: values go in and never come out. */
export interface SecretsApi {
  listSecrets(caller: Caller, query?: { after?: string; limit?: number }): Promise<SecretOverview>
  writeSecret(
    caller: Caller,
    secret: { name: string; value: string; agent?: string } & SecretNotes,
  ): Promise<SecretSummary>
  /** What is noted of it, without touching the value. Its value must not stand in the description. */
  noteSecret(
    caller: Caller,
    secret: { name: string; agent?: string } & SecretNotes,
  ): Promise<SecretSummary>
  deleteSecret(caller: Caller, secret: { name: string; agent?: string }): Promise<void>
  /** Runs the checks that tools and packs bring for it, on the value that is stored. */
  testSecret(caller: Caller, secret: { name: string; agent?: string }): Promise<SecretTest>
}
