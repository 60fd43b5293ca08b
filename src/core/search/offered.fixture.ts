import type { OfferedTool } from '../offer/tool-offer.ts'
import type { JsonValue } from '../kernel/json.ts'

/** An offered tool with the fields that a search reads. */
export function offered(
  name: string,
  [title, description]: readonly [title: string, description: string],
  properties: Record<string, JsonValue> = {},
): OfferedTool {
  return {
    name,
    wireName: name.replaceAll(/[^a-zA-Z0-9]/g, '_'),
    title,
    description,
    icon: undefined,
    effect: 'read',
    idempotent: true,
    openWorld: false,
    pack: 'test',
    source: 'code',
    inputSchema: { type: 'object', properties },
    outputSchema: undefined,
    examples: [],
    execution: 'inline',
    timeoutMs: 1000,
    asks: false,
    mayAsk: false,
  }
}
