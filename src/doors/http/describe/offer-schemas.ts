import { z } from 'zod'
import { jsonValue } from '../../../core/operations/fields.ts'
import { toolSources } from '../../../core/tools/tool-listing.ts'
import { toolIcons } from '../../../features/tools/schemas.ts'

const jsonSchema = z.record(z.string(), z.unknown())

/** A tool as agents get it: all that a model and an SDK need. */
const offeredTool = z
  .object({
    name: z.string(),
    wireName: z.string().meta({ description: 'What models call it' }),
    title: z.string(),
    description: z.string(),
    icon: z.string().optional(),
    icons: toolIcons.optional(),
    effect: z.enum(['read', 'write', 'destructive']),
    idempotent: z.boolean(),
    openWorld: z.boolean(),
    pack: z.string(),
    source: z.enum(toolSources),
    inputSchema: jsonSchema,
    outputSchema: jsonSchema.optional(),
    examples: z.array(z.object({ label: z.string(), input: jsonValue })),
    execution: z.enum(['inline', 'background', 'external']),
    timeoutMs: z.int(),
    asks: z.boolean().meta({ description: 'A call of it waits for a person' }),
    mayAsk: z.boolean().meta({
      description: 'A call of it may wait for a person: ask first whether it will',
    }),
  })
  .meta({ id: 'OfferedTool' })

/** A page of what an agent is offered. */
export const offerPage = z.object({
  mode: z.enum(['list', 'search']).meta({
    description: '`search`: most tools are not listed, but found with `tools.search`',
  }),
  items: z.array(offeredTool),
  next: z.string().optional().meta({ description: 'Page on after this name' }),
})
