import type { DataKind, LabelRule, OutsideEffect } from '../kernel/tool-labels.ts'
import type { LimitSet } from '../limits/limit-set.ts'
import type { ToolMode } from '../kernel/meta-tools.ts'
import type { JsonValue, Runtime, ToolContract } from '../kernel/tool.ts'

/**
 * A tool as policy sees it. Immutable like Scope: a tool that is quarantined, repaired or whose
 * server goes down is a new object, because verdicts are cached by identity.
 */
export interface PolicyTool {
  readonly contract: ToolContract
  /** The pack it was registered with, if that is not the contract's. */
  readonly pack?: string
  /** Its pack is hidden until a tenant enables it. */
  readonly packOptIn: boolean
  /** Why it is quarantined; absent if it isn't. */
  readonly quarantine?: string
  /** Why its server can't be reached; absent if it can. */
  readonly isDown?: string
}

/** One level of policy. `level.ts` defines which patterns it lets through. */
export interface PolicyLevel {
  /** Its place: `global`, `tenant`, `provider`, `skill:<name>`; shown by explain. */
  name: string
  profile?: string
  allow: readonly string[]
  deny: readonly string[]
  /**
   * Set when the stored level could not be read: it lets nothing through, and this is the reason.
   */
  closed?: string
  /** The author and time of the last change, as text. */
  setBy?: string
}

/**
 * A pattern that an agent is allowed or denied, and its sources: `manual`, `global`,
 * `skill:<name>`.
 */
export interface Grant {
  pattern: string
  kind: 'allow' | 'deny'
  sources: readonly string[]
}

/** An agent's settings for one tool. */
export interface ToolSettings {
  enabled?: boolean
  needsApproval?: boolean
  execution?: 'inline' | 'background'
  timeoutMs?: number
  options?: Readonly<Record<string, JsonValue>>
}

export type Autonomy = 'conservative' | 'standard' | 'autonomous'

/**
 * Patterns by the action when a matching tool is called; the strictest match wins, without a match
 * it is silent.
 */
export interface ConfirmRules {
  confirm: readonly string[]
  log: readonly string[]
  silent: readonly string[]
}

/** The facts about an agent that policy needs. */
export interface AgentPolicy {
  slug: string
  profile?: string
  grants: readonly Grant[]
  settings: Readonly<Record<string, ToolSettings>>
  autonomy: Autonomy
  hooks: ConfirmRules
  /** How it discovers tools. */
  toolMode: ToolMode
  /** It is offered file and shell tools under the short names that models know. */
  shortNames?: boolean
  /** It has at least one skill. */
  hasSkills?: boolean
  memoryEnabled: boolean
  knowledgeEnabled: boolean
  /** Permissions of the agent's role; absent without a role. */
  permissions?: readonly string[]
  /** Set when the stored agent could not be read: it gets nothing, and this is the reason. */
  closed?: string
  /** The author and time of the last change, as text. */
  setBy?: string
}

/** A pack enabled or disabled; the tenant's own setting overrides the default for all. */
export interface PackSwitch {
  tenant?: boolean
  everyone?: boolean
  /** The author of the tenant's own setting, as text. */
  setBy?: string
}

/**
 * Everything that decides what one caller sees and may do, collected once. Treated as immutable: a
 * change of configuration creates a new Scope, so results are cached by identity.
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
  /** Custom profiles in addition to the built-in ones. */
  profiles: Readonly<Record<string, { allow: readonly string[]; deny: readonly string[] }>>
  /** Group name → patterns, for built-in groups and those of packs. */
  groups: Readonly<Record<string, readonly string[]>>
  /** The limits of this tenant; absent without limits. */
  limits?: LimitSet
  /** The labels of tools, for the data-flow rule; see `flow/labels-of.ts`. */
  labels?: readonly LabelRule[]
}

/** The verdict of one layer on one tool. */
export interface LayerVerdict {
  /** The name of the layer in `layers/layers.ts`. */
  layer: string
  passes: boolean
  /** The deciding rule, as text: `tenant policy denies shell.*`. */
  reason: string
  /**
   * The author of the rule: `configuration`, `key:… on 2026-11-15 10:00`, `the definition of
   * web.fetch`.
   */
  setBy?: string
  /** The change that would lift it, if any. */
  fix?: string
  /** The same as an action. */
  change?: Change
}

/** A change as a command, a request, or a configuration key. */
export interface Change {
  command?: string
  api?: string
  configuration?: string
}

/** A rule that requires approval; `layer` names its origin. */
export interface AskVerdict extends Omit<LayerVerdict, 'layer' | 'passes'> {
  layer: 'approval' | 'hooks' | 'autonomy' | 'settings' | 'data-flow' | 'workspace'
}

/** One tool as explain reports it: the verdict of every layer, and the result. */
export interface Explanation {
  tool: string
  visible: boolean
  verdict: 'allow' | 'ask' | 'deny'
  /** The first layer that hid it, or the rule that asks. */
  stoppedBy?: string
  reasons: readonly string[]
  layers: readonly LayerVerdict[]
  /** For a visible tool that needs approval: every rule that requires it. */
  asks?: readonly AskVerdict[]
  /** Its labels for the data-flow rule, if it has any. */
  labels?: ExplainedLabels
}

/** The labels of a tool, and their sources. */
export interface ExplainedLabels {
  reads: readonly DataKind[]
  effects: OutsideEffect
  setBy: readonly string[]
}
