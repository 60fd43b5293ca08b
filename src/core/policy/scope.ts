import type { DataKind, LabelRule, OutsideEffect } from '../kernel/tool-labels.ts'
import type { LimitSet } from '../limits/limit-set.ts'
import type { ToolMode } from '../kernel/meta-tools.ts'
import type { JsonValue, Runtime, ToolContract } from '../kernel/tool.ts'

/**
 * A tool as policy sees it. Immutable like Scope: a tool that is quarantined, mended or whose server
 * goes down is a new object, because verdicts are cached by identity.
 */
export interface PolicyTool {
  readonly contract: ToolContract
  /** The pack it was registered with, where that is not the contract's. */
  readonly pack?: string
  /** Its pack is hidden until a tenant turns it on. */
  readonly packOptIn: boolean
  /** Why it was set aside; present means it is. */
  readonly quarantine?: string
  /** Why its server can't be reached; present means it can't. */
  readonly isDown?: string
}

/** One level of policy. Which patterns it lets through: see `level.ts`. */
export interface PolicyLevel {
  /** Where it stands: `global`, `tenant`, `provider`, `skill:<name>`; shown by explain. */
  name: string
  profile?: string
  allow: readonly string[]
  deny: readonly string[]
  /** Present when the stored level could not be read: it lets nothing through, and this is why. */
  closed?: string
  /** Who set it and when, in words. */
  setBy?: string
}

/** A pattern that an agent is given or refused, and who holds it: `manual`, `global`, `skill:<name>`. */
export interface Grant {
  pattern: string
  kind: 'allow' | 'deny'
  sources: readonly string[]
}

/** What an agent says of one tool. */
export interface ToolSettings {
  enabled?: boolean
  needsApproval?: boolean
  execution?: 'inline' | 'background'
  timeoutMs?: number
  options?: Readonly<Record<string, JsonValue>>
}

export type Autonomy = 'conservative' | 'standard' | 'autonomous'

/** Patterns by what happens when a tool that fits is called; the strictest that fits wins, none means silent. */
export interface ConfirmRules {
  confirm: readonly string[]
  log: readonly string[]
  silent: readonly string[]
}

/** Everything policy needs to know of an agent. */
export interface AgentPolicy {
  slug: string
  profile?: string
  grants: readonly Grant[]
  settings: Readonly<Record<string, ToolSettings>>
  autonomy: Autonomy
  hooks: ConfirmRules
  /** How it gets to know its tools. */
  toolMode: ToolMode
  /** It has a skill to read. */
  hasSkills?: boolean
  memoryEnabled: boolean
  knowledgeEnabled: boolean
  /** Permissions of the agent's role; absent when it has none of its own. */
  permissions?: readonly string[]
  /** Present when the stored agent could not be read: it gets nothing, and this is why. */
  closed?: string
  /** Who set it and when, in words. */
  setBy?: string
}

/** A pack turned on or off; the tenant's own word wins over the default for all. */
export interface PackSwitch {
  tenant?: boolean
  everyone?: boolean
  /** Who set the tenant's own, in words. */
  setBy?: string
}

/**
 * All that decides what one caller sees and may do, gathered once. Treated as immutable: a change
 * of configuration makes a new Scope, so results are cached by identity.
 */
export interface Scope {
  tenant: string
  isKnownTenant: boolean
  runtime: Runtime
  agent?: AgentPolicy
  /** Nearest first. */
  parents: readonly AgentPolicy[]
  levels: readonly PolicyLevel[]
  packs: Readonly<Record<string, PackSwitch>>
  permissions: readonly string[]
  /** Custom profiles beside the shipped ones. */
  profiles: Readonly<Record<string, { allow: readonly string[]; deny: readonly string[] }>>
  /** Group name → patterns, the shipped ones and those of packs. */
  groups: Readonly<Record<string, readonly string[]>>
  /** What bounds how much callers of this tenant use; absent where nothing does. */
  limits?: LimitSet
  /** What tools read and affect, for the data-flow rule; see `flow/labels-of.ts`. */
  labels?: readonly LabelRule[]
}

/** One layer's word on one tool. */
export interface LayerVerdict {
  /** The name of the layer in `layers/layers.ts`. */
  layer: string
  passes: boolean
  /** The rule that decided, in words: `tenant policy denies shell.*`. */
  reason: string
  /** Who made the rule: `configuration`, `key:… on 2026-11-15 10:00`, `the definition of web.fetch`. */
  setBy?: string
  /** What would change it, where something would. */
  fix?: string
  /** The same as something to do. */
  change?: Change
}

/** A change as a command, a request, or a key of the configuration. */
export interface Change {
  command?: string
  api?: string
  configuration?: string
}

/** A rule that wants a person asked; `layer` says whose rule it is. */
export interface AskVerdict extends Omit<LayerVerdict, 'layer' | 'passes'> {
  layer: 'approval' | 'hooks' | 'autonomy' | 'settings' | 'data-flow'
}

/** One tool as explain answers it: every layer's word, and what that makes. */
export interface Explanation {
  tool: string
  visible: boolean
  verdict: 'allow' | 'ask' | 'deny'
  /** The first layer that hid it, or the rule that asks. */
  stoppedBy?: string
  reasons: readonly string[]
  layers: readonly LayerVerdict[]
  /** Of a visible tool that is asked about: every rule that wants it. */
  asks?: readonly AskVerdict[]
  /** What it reads and affects for the data-flow rule, where a label says so. */
  labels?: ExplainedLabels
}

/** Labels that hold for a tool, and whose word they are. */
export interface ExplainedLabels {
  reads: readonly DataKind[]
  effects: OutsideEffect
  setBy: readonly string[]
}
