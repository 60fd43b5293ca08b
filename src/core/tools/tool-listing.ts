import type { Effect, Runtime, ToolContract, ToolSource } from '../kernel/tool.ts'

/** Where tools come from. */
export const toolSources = [
  'builtin',
  'code',
  'authored',
  'gateway',
  'agent',
] as const satisfies readonly ToolSource[]

/** A tool in a list. */
export interface ToolListing {
  name: string
  wireName: string
  title: string
  description: string
  effect: Effect
  pack: string
  source: ToolSource
  /** `misconfigured` and `quarantined` tools are listed for people who can mend them, never offered to agents. */
  state: ToolState
  /** Why it is not ready. */
  reason?: string
  /** What would make it ready, and who can. */
  fix?: string
  /** Name of its picture, of the tabler set. */
  icon?: string
  /** Every call of it waits for a person. */
  asks?: true
}

export type ToolState = 'ready' | 'misconfigured' | 'quarantined'

/** One finding of the portability check: what a provider would refuse or lose, and where in the schema. */
export interface PortabilityFinding {
  provider: 'openai' | 'anthropic' | 'gemini'
  severity: 'error' | 'warning'
  path: string
  message: string
}

/** One tool with all that can be known of it without running it. */
export type ToolDetail = ToolContract &
  Omit<ToolListing, keyof ToolContract> & {
    portability: readonly PortabilityFinding[]
    /** What was odd but not fatal when it was defined or loaded. */
    warnings: readonly string[]
    /** The input as the fields of a form. */
    fields: readonly object[]
    /**
     * Its file does not load any more, so this is the last version that did. Where and why is told to those
     * who may see the tool files.
     */
    lastWorking?: { problem?: ToolFileProblem }
  }

/** A tool file that does not load. */
export interface ToolFileProblem {
  /** Relative to the folder of the configuration. */
  file: string
  /** Line and column from 1, where the reason names them. */
  line?: number
  column?: number
  message: string
  /** Tools whose last working version is served meanwhile. */
  tools: readonly string[]
}

export interface ToolQuery {
  /** See as this agent of the caller's tenant. */
  agent?: string | undefined
  /** With this skill of the agent in force. */
  skill?: string | undefined
  runtime?: Runtime | undefined
  q?: string | undefined
  pack?: string | undefined
  source?: ToolSource | undefined
  effect?: Effect | undefined
  state?: ToolState | undefined
  /** Page on after this name. */
  after?: string | undefined
  limit?: number | undefined
}
