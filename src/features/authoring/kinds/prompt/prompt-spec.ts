import { z } from 'zod'

/** A question to a model. */
export interface PromptSpec {
  kind: 'prompt'
  /**
   * `direct`: the template alone. `skill`: a skill is part of the instructions. `agent`: an agent
   * answers with its model and instructions, without its tools.
   */
  mode: 'direct' | 'skill' | 'agent'
  /** Such as `anthropic/claude-…`. Default: that of the agent, of the caller, of the configuration. */
  model?: string | undefined
  agent?: string | undefined
  skill?: string | undefined
  /** Instructions of the author. Literal: no references. */
  system?: string | undefined
  /** The user's message. May hold references, such as `{{input.text}}`. */
  template: string
  maxOutputTokens?: number | undefined
}

const text = (max: number) => z.string().trim().min(1).max(max)

export const promptSpec: z.ZodType<PromptSpec> = z.strictObject({
  kind: z.literal('prompt'),
  mode: z.enum(['direct', 'skill', 'agent']),
  model: text(200).optional(),
  agent: text(64).optional(),
  skill: text(64).optional(),
  system: text(100_000).optional(),
  template: z.string().min(1).max(1_000_000),
  maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
})
