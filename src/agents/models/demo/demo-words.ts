import type { ToolSet } from 'ai'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'

/** The titles of a tool and of the parts of its output. Other models do not get them. */
export interface DemoWords {
  title?: string
  /** By key of the output. */
  labels: Readonly<Record<string, string>>
}

/** The tool with these words, where only the demo model looks. */
export function withDemoWords(compiled: ToolSet[string], tool: OfferedTool): ToolSet[string] {
  const { title, outputSchema } = tool
  return { ...compiled, providerOptions: { demo: { title, labels: labelsOf(outputSchema) } } }
}

/** Those of nested objects of the output too, such as a summary. */
function labelsOf(schema: unknown, depth = 1): Record<string, string> {
  const properties = isRecord(schema) ? schema['properties'] : undefined
  if (!isRecord(properties)) return {}
  const below = Object.values(properties).map((one) => (depth > 0 ? labelsOf(one, depth - 1) : {}))
  const own = Object.entries(properties).flatMap(([key, property]) => {
    const title = isRecord(property) ? property['title'] : undefined
    return typeof title === 'string' && title !== '' ? [[key, title] as const] : []
  })
  return Object.assign({}, ...below, Object.fromEntries(own)) as Record<string, string>
}

/** The words that came with a tool; none where it was not given by us. */
export function readDemoWords(options: unknown): DemoWords {
  const words = isRecord(options) && isRecord(options['demo']) ? options['demo'] : {}
  const { title, labels } = words
  return {
    ...(typeof title === 'string' && { title }),
    labels: isRecord(labels) ? (labels as Record<string, string>) : {},
  }
}
