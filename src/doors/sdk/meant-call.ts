import type { Effect } from '../../core/kernel/tool.ts'
import type { OfferedTool } from '../../core/offer/tool-offer.ts'
import { callToolTool } from '../../core/kernel/meta-tools.ts'
import { unwrapCall } from '../../core/search/unwrap-call.ts'
import type { ToolPort } from '../../core/offer/tool-port.ts'

/**
 * The tool and input behind a model's tool call, for people: behind `tools.call`, the tool that it
 * names.
 */
export interface MeantCall {
  /** Canonical name. */
  name: string
  wireName: string
  input: unknown
  /** Undefined for a tool that the caller does not see. */
  effect: Effect | undefined
  /** A person may have to be asked about it; also true if it cannot be read. */
  mayAsk: boolean
}

/** Looks behind `tools.call`. Asks the crib only for a tool that is called through it. */
export async function findMeantCall(
  port: Pick<ToolPort, 'findTool'>,
  { tool, input }: { tool: OfferedTool; input: unknown },
): Promise<MeantCall> {
  const given = unwrapInput({ tool, input })
  if (given === undefined || tool.name !== callToolTool) return toMeant(tool, input)
  const inner = await port.findTool(given.tool).catch(() => undefined)
  if (inner !== undefined) return toMeant(inner, given.input)
  return toUnknown(given.tool, given.input)
}

/** The tool that is meant, by the name that it was given, and its input; undefined for what can't be read. */
export function unwrapInput({
  tool,
  input,
}: {
  tool: OfferedTool
  input: unknown
}): { tool: string; input: unknown } | undefined {
  try {
    return unwrapCall({ tool: tool.name, input: input ?? {} }, (canonical) => canonical)
  } catch {
    return undefined
  }
}

/** A call of what nobody knows by this name. */
export function toUnknown(name: string, input: unknown): MeantCall {
  return { name, wireName: name, input, effect: undefined, mayAsk: true }
}

function toMeant({ name, wireName, effect, mayAsk }: OfferedTool, input: unknown): MeantCall {
  return { name, wireName, input, effect, mayAsk }
}
