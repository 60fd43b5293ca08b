import type { JsonValue } from '../../../core/kernel/json.ts'
import type { OfferedTool, ToolOffer } from '../../../core/offer/tool-offer.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { hasSecretFields, hideSecretFields } from '../../../core/secrets/secret-fields.ts'
import { callToolTool } from '../../../core/kernel/meta-tools.ts'
import { unwrapCall } from '../../../core/search/unwrap-call.ts'
import { createRedactor } from '../../../core/secrets/redact.ts'
import { toJson, type Chunk } from '../ui-parts.ts'

/** The way from a model to its message, on which secret fields of what it asks for are taken out. */
export interface InputHiding {
  write(chunk: Chunk): void
  /** The inputs as the model gave them, by tool call, where the message does not have them so. */
  readonly raw: ReadonlyMap<string, JsonValue>
}

const hiddenInput = '[redacted:input]'

/**
 * Hides the values of secret fields before they reach the message and its stream. Pieces of such an
 * input are not streamed at all: its fields are known only once the input is whole.
 */
export function createInputHiding(
  offer: Pick<ToolOffer, 'find'>,
  write: (chunk: Chunk) => void,
): InputHiding {
  const raw = new Map<string, JsonValue>()
  const silent = new Set<unknown>()

  function hideWhole(chunk: Chunk): Chunk {
    const input = toJson(chunk['input'])
    const hidden = hideInput(offer, { tool: String(chunk['toolName']), input })
    if (hidden === undefined) return chunk
    raw.set(String(chunk['toolCallId']), input)
    const { errorText } = chunk
    const told = typeof errorText === 'string' ? { errorText: hidden.redactText(errorText) } : {}
    return { ...chunk, input: hidden.input, ...told }
  }
  return {
    raw,
    write(chunk) {
      if (chunk.type === 'tool-input-start') {
        const tool = offer.find(String(chunk['toolName']))
        if (tool !== undefined && mayHide(tool)) silent.add(chunk['toolCallId'])
      }
      if (chunk.type === 'tool-input-delta' && silent.has(chunk['toolCallId'])) return
      const isWhole = chunk.type === 'tool-input-available' || chunk.type === 'tool-input-error'
      write(isWhole ? hideWhole(chunk) : chunk)
    },
  }
}

/** The target of `tools.call` is known only at the end of its input. */
function mayHide(tool: OfferedTool): boolean {
  return tool.name === callToolTool || hasSecretFields(tool)
}

interface HiddenInput {
  input: JsonValue
  redactText(text: string): string
}

function hideInput(
  offer: Pick<ToolOffer, 'find'>,
  given: { tool: string; input: JsonValue },
): HiddenInput | undefined {
  const meant = readMeant(offer, given)
  const tool = offer.find(meant.tool)
  if (tool === undefined || !hasSecretFields(tool)) return undefined
  // A value that is not an object cannot be searched: an input that broke off, for instance.
  if (!isRecord(meant.input)) return { input: meant.toGiven(hiddenInput), redactText: () => unread }
  const { shown, values } = hideSecretFields(tool, meant.input as JsonValue)
  if (shown === meant.input) return undefined
  return { input: meant.toGiven(shown), redactText: createRedactor(values).redactText }
}

const unread = 'The input is not the JSON object that the tool takes'

interface Meant {
  tool: string
  input: unknown
  /** The same request with another input. */
  toGiven(input: JsonValue): JsonValue
}

function readMeant(
  offer: Pick<ToolOffer, 'find'>,
  given: { tool: string; input: JsonValue },
): Meant {
  const { input } = given
  try {
    const meant = unwrapCall(given, (name) => offer.find(name)?.name)
    if (meant === given) return { ...given, toGiven: (other) => other }
    const { tool } = meant
    return {
      tool,
      input: meant.input,
      toGiven: (other) => ({ name: tool, input: asText(other) }),
    }
  } catch {
    const tool = isRecord(input) && typeof input['name'] === 'string' ? input['name'] : given.tool
    return { tool, input: undefined, toGiven: (other) => ({ name: tool, input: asText(other) }) }
  }
}

function asText(input: JsonValue): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}
