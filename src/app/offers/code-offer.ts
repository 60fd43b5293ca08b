import { printCodeApi } from '../../core/code/print-code-api.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { JsonSchema } from '../../core/kernel/json.ts'
import type { OfferedTool, ToolOffer } from '../../core/offer/tool-offer.ts'
import { codeTool } from '../../core/kernel/meta-tools.ts'
import { toOffer, type WholeOffer } from './to-offer.ts'

const offers = new WeakMap<WholeOffer, ToolOffer>()

/**
 * One tool that runs programs, with the types of all others; those can still be called by name.
 * Undefined where the caller may not run programs.
 */
export function toCodeOffer(whole: WholeOffer): ToolOffer | undefined {
  const known = offers.get(whole)
  if (known !== undefined) return known
  const runner = whole.offer.tools.find(({ name }) => name === codeTool)
  if (runner === undefined) return undefined
  const others = whole.offer.tools.filter((tool) => tool !== runner)
  const offer = toOffer([withApi(runner, printCodeApi(others))], whole.offer)
  offers.set(whole, offer)
  return offer
}

/** In the schema, because providers allow descriptions of tools to have 1,024 characters. */
function withApi(runner: OfferedTool, api: string): OfferedTool {
  const { inputSchema } = runner
  const properties = isRecord(inputSchema['properties']) ? inputSchema['properties'] : {}
  const source = isRecord(properties['source']) ? properties['source'] : {}
  const description = `${String(source['description'])}. These can be called:\n${api}`
  const schema: JsonSchema = {
    ...inputSchema,
    properties: { ...properties, source: { ...source, description } },
  }
  return Object.freeze({ ...runner, inputSchema: schema })
}
