import type { CallContext } from '../../core/kernel/call.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import { contentLines, isContentOutput } from '../../core/kernel/content.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { compileGlob } from '../../core/kernel/text/glob.ts'
import type { ToolPreview } from '../../core/kernel/trial/tool-preview.ts'
import { previewSchema } from '../../core/preview/preview-schema.ts'

/** A tool of a server, as far as its preview needs it. */
interface TriedTool {
  spec: Pick<McpServerSpec, 'previewWith'>
  localName: string
  execute(input: unknown, context: CallContext): unknown
}

/**
 * The preview of a tool whose server can try a call: the call itself, with the input that the operator
 * has named for that. Undefined for all other tools.
 */
export function dryRunOf(
  making: TriedTool,
): ((input: unknown, context: CallContext) => Promise<ToolPreview>) | undefined {
  const more = givenInput(making.spec.previewWith ?? {}, making.localName)
  if (more === undefined) return undefined
  return async (input, context) => {
    const whole = { ...(isRecord(input) ? input : {}), ...more }
    return toPreview(making.localName, await lastOf(making.execute(whole, context)))
  }
}

function givenInput(
  previewWith: NonNullable<McpServerSpec['previewWith']>,
  localName: string,
): Readonly<Record<string, unknown>> | undefined {
  if (Object.hasOwn(previewWith, localName)) return previewWith[localName]
  return Object.entries(previewWith).find(([pattern]) => compileGlob(pattern)(localName))?.[1]
}

/** A generator reports progress on the way; its last value is the result. */
async function lastOf(result: unknown): Promise<JsonValue> {
  if (!isGenerator(result)) return (await result) as JsonValue
  let last: unknown
  for (;;) {
    const step = await result.next()
    if (step.done === true) return (step.value ?? last ?? null) as JsonValue
    last = step.value
  }
}

function isGenerator(value: unknown): value is AsyncGenerator {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** A server that answers with a preview is taken at its word; anything else is shown as it is. */
function toPreview(localName: string, output: JsonValue): ToolPreview {
  const value = isContentOutput(output) ? output.$structured : output
  const parsed = previewSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const after = value ?? (isContentOutput(output) ? contentLines(output).join('\n') : null)
  return {
    summary: `The server has tried ${localName} without doing it.`,
    changes: [{ target: localName, after }],
  }
}
