import { z } from 'zod'
import { checkJson } from '../kernel/json/check-json.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { ToolPreview } from '../kernel/trial/tool-preview.ts'

const json = z.custom<JsonValue>((value) => checkJson(value) === undefined, {
  error: 'must be plain JSON',
})

const change = z.object({
  target: z.string(),
  before: json.optional(),
  after: json.optional(),
  diff: z.string().optional(),
})

/** The return value of a tool's `preview`. */
export const previewSchema: z.ZodType<ToolPreview> = z.object({
  summary: z.string(),
  changes: z.array(change),
  count: z.int().min(0).optional(),
  warnings: z.array(z.string()).optional(),
})
