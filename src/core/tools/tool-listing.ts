import type { Effect, Runtime, ToolContract, ToolOrigin } from '../kernel/tool.ts'

/** The origins of tools. */
export const toolSources = [
  'builtin',
  'code',
  'authored',
  'gateway',
  'api',
  'agent',
] as const satisfies readonly ToolOrigin[]

/** A tool in a list. */
export interface ToolListing {
  name: string
  wireName: string
  title: string
  description: string
  effect: Effect
  pack: string
  source: ToolOrigin
  /**
   * `misconfigured` and `quarantined` tools are listed for people who can fix them, never offered
   * to agents.
   */
  state: ToolState
  /** Why it is not ready. */
  reason?: string
  /** The change that would make it ready, and who can make it. */
  fix?: string
  /** Name of its icon, in the tabler set. */
  icon?: string
  /** Every call needs approval. */
  asks?: true
}

export type ToolState = 'ready' | 'misconfigured' | 'quarantined'

/**
 * One finding of the portability check: what a provider would refuse or lose, and where in the
 * schema.
 */
export interface PortabilityFinding {
  provider: 'openai' | 'anthropic' | 'gemini'
  severity: 'error' | 'warning'
  path: string
  message: string
}

/** One tool with everything that is known without running it. */
export type ToolDetail = ToolContract &
  Omit<ToolListing, keyof ToolContract> & {
    portability: readonly PortabilityFinding[]
    /** Problems in its definition or while loading that are not fatal. */
    warnings: readonly string[]
    /** The input as the fields of a form. */
    fields: readonly object[]
    /**
     * Its file no longer loads, so this is the last working version. The problem is shown to people
     * who may see the tool files.
     */
    lastWorking?: { problem?: ToolFileProblem }
  }

/** A tool file that does not load. */
export interface ToolFileProblem {
  /** Relative to the folder of the configuration. */
  file: string
  /** Line and column from 1, if the reason contains them. */
  line?: number
  column?: number
  message: string
  /** Tools whose last working version is in use. */
  tools: readonly string[]
}

export interface ToolQuery {
  /** As this agent of the caller's tenant. */
  agent?: string | undefined
  /** With this skill of the agent active. */
  skill?: string | undefined
  runtime?: Runtime | undefined
  q?: string | undefined
  pack?: string | undefined
  source?: ToolOrigin | undefined
  effect?: Effect | undefined
  state?: ToolState | undefined
  /** Continue after this name. */
  after?: string | undefined
  limit?: number | undefined
}
