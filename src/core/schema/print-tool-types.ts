import type { JsonSchema } from '../kernel/json.ts'
import { printComment, printKey, printType } from './print-type.ts'
import { withoutFilled } from './without-filled.ts'

/** The facts of a tool that are printed. */
export interface TypedContract {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema | undefined
}

const head = `// Written by \`toolcrib types\`; \`toolcrib dev\` keeps it current. Edits are overwritten.
// With it, crib.call and ctx.call know the names of the tools, their input and their output.
`

/** The declaration file with the types of all tools. */
export function printToolTypes(contracts: readonly TypedContract[]): string {
  const sorted = contracts.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return `${head}interface ToolcribTools {\n${sorted.map(printTool).join('')}}\n`
}

function printTool({ name, description, inputSchema, outputSchema }: TypedContract): string {
  const lines = [
    ...printComment({ description }, '  '),
    `  ${printKey(name)}: {`,
    `    input: ${printType(withoutFilled(inputSchema), '    ')}`,
    ...(outputSchema === undefined ? [] : [`    output: ${printType(outputSchema, '    ')}`]),
    '  }',
  ]
  return `${lines.join('\n')}\n`
}
