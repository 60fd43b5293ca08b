import { z } from 'zod'
import { checkJson } from '../kernel/json/check-json.ts'
import type { JsonValue } from '../kernel/json.ts'
import { isToolName } from '../kernel/names.ts'
import { isShortText, maxShortChars } from '../kernel/text/short-text.ts'

/** The work that a trigger, schedule or hook starts. Its texts may contain references. */
export type Target =
  | { tool: string; input?: { [key: string]: JsonValue } | undefined }
  | { agent: string; prompt: string; conversation?: string | undefined }
  | { room: string }

const shortText = z.string().max(maxShortChars).refine(isShortText, {
  error: 'must be text without control characters',
})
const jsonObject = z
  .record(z.string(), z.unknown())
  .refine((value) => checkJson(value) === undefined, { error: 'must be plain JSON' })

/** Exactly one of a tool, an agent and a room. */
export const targetSchema: z.ZodType<Target> = z.union(
  [
    z.strictObject({
      tool: z.string().refine(isToolName, { error: 'must be the name of a tool' }),
      input: (jsonObject as z.ZodType<{ [key: string]: JsonValue }>).optional(),
    }),
    z.strictObject({
      agent: shortText,
      prompt: z.string().min(1).max(100_000),
      conversation: shortText.optional(),
    }),
    z.strictObject({ room: shortText }),
  ],
  { error: 'must name a tool with its input, an agent with its prompt, or a room' },
)
