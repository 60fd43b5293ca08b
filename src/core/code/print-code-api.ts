import type { OfferedTool } from '../offer/tool-offer.ts'
import { printType } from '../schema/print-type.ts'
import { withoutFilled } from '../schema/without-filled.ts'

type Printed = Pick<OfferedTool, 'name' | 'description' | 'inputSchema' | 'outputSchema' | 'asks'>

/** The tools that a program can call, as TypeScript. Tools that do not fit into the text are only named. */
export function printCodeApi(tools: readonly Printed[], maxChars = 24_000): string {
  const texts: string[] = []
  const rest: string[] = []
  let left = maxChars
  for (const tool of tools) {
    const text = printTool(tool)
    // In the order of names, but a large one does not keep out the small ones after it.
    if (text.length > left) rest.push(tool.name)
    else texts.push(text)
    left -= text.length > left ? 0 : text.length
  }
  return [...texts, ...printRest(rest)].join('\n')
}

const maxDescription = 300

function printTool({ name, description, inputSchema, outputSchema, asks }: Printed): string {
  const input = printType(withoutFilled(inputSchema))
  const output = outputSchema === undefined ? 'unknown' : printType(outputSchema)
  const said = description.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /').slice(0, maxDescription)
  const approval = asks ? ' A person is asked first.' : ''
  return `/** ${said}${approval} */\n${toPath(name)}(input: ${input}): Promise<${output}>`
}

/** `tools.billing.find`, `tools["mcp:files:read"]`. */
function toPath(name: string): string {
  const isPlain = /^[a-z_][\w]*(?:\.[a-z_][\w]*)*$/.test(name)
  return isPlain ? `tools.${name}` : `tools[${JSON.stringify(name)}]`
}

const mostNames = 300

function printRest(names: readonly string[]): string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, mostNames).join(', ')
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
  return [
    `// Also: ${shown}${more}. await search("words") finds them, await tools.tools.describe({ names }) gives their schemas.`,
  ]
}
