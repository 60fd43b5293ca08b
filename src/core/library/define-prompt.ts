import { z } from 'zod'
import type { Principal } from '../kernel/call.ts'
import type { CallerClient } from '../kernel/context/caller-client.ts'
import { ToolError } from '../kernel/errors.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { toFieldIssues } from '../schema/tool-definition.ts'
import type { CompletionValues, PromptListing, PromptMessage, PromptText } from './library-api.ts'

/** The caller who requests a prompt or a resource, and the tenant. */
export interface LibraryContext {
  tenant: string
  agent: string | undefined
  principal: Principal
  /** The requesting client, if it can be asked questions; otherwise undefined. */
  client: CallerClient | undefined
}

/** The partial value of an argument, and the values of the others. */
export interface LibraryCompletion {
  name: string
  value: string
  known: Readonly<Record<string, string>>
}

type Completed = readonly string[] | CompletionValues

/** A prompt as an author writes it. */
export interface PromptDefinition {
  name: string
  title?: string
  description?: string
  arguments?: PromptListing['arguments']
  /** Returns the text, or messages. */
  render(
    given: Readonly<Record<string, string>>,
    context: LibraryContext,
  ): RenderedPrompt | Promise<RenderedPrompt>
  complete?(argument: LibraryCompletion, context: LibraryContext): Completed | Promise<Completed>
}

export type RenderedPrompt = string | readonly PromptMessage[] | PromptText

/** A defined prompt. Frozen. */
export interface Prompt {
  readonly listing: PromptListing
  readonly render: PromptDefinition['render']
  readonly complete: PromptDefinition['complete']
}

const text = (max: number) => z.string().trim().min(1).max(max)
const facts = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_./-]{1,128}$/, {
    error: 'must be letters, digits, _, ., / and -, at most 128 characters',
  }),
  title: text(200).optional(),
  description: text(1024).optional(),
  arguments: z
    .array(
      z.strictObject({
        name: text(100),
        title: text(200).optional(),
        description: text(1024).optional(),
        required: z.boolean().optional(),
      }),
    )
    .max(50)
    .default([]),
})

/** Defines a prompt: checks every field and freezes the result. Throws `invalid_tool`. */
export function definePrompt(definition: PromptDefinition): Prompt {
  const { render, complete, ...given } = isRecord(definition) ? definition : ({} as never)
  const parsed = facts.safeParse(given, { reportInput: true })
  if (!parsed.success || typeof render !== 'function') {
    const issues = parsed.success ? [] : toFieldIssues(parsed.error)
    const missing = typeof render === 'function' ? [] : [{ path: '/render', message: 'is missing' }]
    const all = [...issues, ...missing]
    const said = all.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')
    throw new ToolError('invalid_tool', `Prompt: ${said}`, { issues: all })
  }
  return Object.freeze({
    listing: Object.freeze(parsed.data),
    render,
    complete,
    [promptMark]: true,
  })
}

const promptMark = Symbol.for('toolcrib.prompt')

/** True for the result of `definePrompt`, also from another copy of this module. */
export function isPrompt(value: unknown): value is Prompt {
  return isRecord(value) && promptMark in value
}
