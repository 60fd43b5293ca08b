import { z } from 'zod'
import { asAgent } from '../../core/kernel/caller.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { CallResult } from '../../core/kernel/call.ts'
import { jsonValue, shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { previewCall, previewIn } from '../../core/pipeline/shielded/preview-call.ts'
import type { ToolParts } from './parts.ts'
import { callPreview } from './preview-schemas.ts'

const define = operationsOf<ToolParts>('Tools')

/** `POST /tools/{name}/preview`. */
export const previewTool = define({
  http: 'POST /api/v1/tools/{name}/preview',
  summary: 'Show what a call would do',
  description:
    'Without doing it: the preview of a tool only reads. It needs no approval, is recorded as a call with `purpose: preview`, and counts against the limits of the tool.',
  needs: 'tools.call',
  agents: 'own',
  params: { name: 'Canonical or wire name' },
  unknownAs: 'tool_not_found',
  body: z
    .strictObject({
      input: jsonValue.optional().meta({ description: "The tool's input; `{}` when left out" }),
      agent: shortText('As this agent').optional(),
      sessionId: shortText('The conversation that the call would belong to').optional(),
      timeoutMs: z
        .int()
        .min(1)
        .max(86_400_000)
        .optional()
        .meta({ description: "Stop after this long; never longer than the tool's own limit" }),
    })
    .meta({ id: 'PreviewRequest' }),
  answer: { description: 'The changes that the call would make', schema: callPreview },
  refusals: { 400: 'The tool has no preview', 422: 'The input does not match its schema' },
  async run({ name, input = {}, agent, sessionId, timeoutMs }, { caller, parts, signal }) {
    const as = asAgent(caller, { agent })
    const given = sessionId === undefined ? as : { ...as, sessionId }
    const result = await previewCall(
      { tool: name, input, caller: given, timeoutMs, signal, durable: true },
      parts.ports,
    )
    const preview = previewIn(result)
    if (preview === undefined) throw toError(result)
    return { callId: result.callId ?? '', ...preview }
  },
})

function toError({ error, callId }: CallResult): ToolError {
  if (error === undefined) return new ToolError('tool_failed', 'The preview did not complete')
  const { code, message, retryAfterMs, refusalId, ...more } = error
  const details = {
    ...(callId !== undefined && { callId }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(refusalId !== undefined && { refusalId }),
  }
  return new ToolError(code, message, { ...more, details })
}
