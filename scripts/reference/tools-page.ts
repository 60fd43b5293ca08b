import type { JsonSchema, Pack, ToolContract } from '../../src/core/kernel/tool.ts'
import { isRecord } from '../../src/core/kernel/json/json-type.ts'
import { shippedGroups } from '../../src/core/patterns/groups.ts'
import { printType } from '../../src/core/schema/print-type.ts'
import { packs } from '../../src/tools/packs.ts'
import { code, table } from './markdown.ts'

/** The built-in tools by pack: facts, input and options. */
export function toolsPage(): string {
  const shown = [...packs].sort((one, other) => (one.name < other.name ? -1 : 1))
  return shown.map(packSection).join('\n\n')
}

function packSection({ name, title, description, optIn, groups, tools }: Pack): string {
  const shipped = Object.entries(shippedGroups).filter(([, patterns]) =>
    patterns.some((pattern: string) => pattern === `pack:${name}`),
  )
  const named = [...groups, ...shipped.map(([group]) => group)].map((group) =>
    code(`group:${group}`),
  )
  const facts = [
    description,
    optIn ? `Off until a tenant turns it on: ${code(`packs: { ${name}: true }`)}.` : '',
    named.length > 0 ? `In ${named.join(', ')}.` : '',
  ]
  const head = `## ${title} (${code(name)})\n\n${facts.filter((fact) => fact !== '').join(' ')}`
  return [head, ...tools.map(({ contract }) => toolSection(contract))].join('\n\n')
}

function toolSection(contract: ToolContract): string {
  const { name, description, inputSchema, outputSchema, optionsSchema, secrets } = contract
  const text = description.replaceAll('*', String.raw`\*`)
  const parts = [`### ${name}`, text, factsOf(contract), fields('input', inputSchema)]
  if (optionsSchema !== undefined) parts.push(fields('option', optionsSchema))
  if (secrets.length > 0) {
    const rows = secrets.map(({ key, label, optional }) => [
      code(key),
      `${label}${optional ? ' (optional)' : ''}`,
    ])
    parts.push(table(['secret', 'means'], rows))
  }
  if (outputSchema !== undefined) parts.push(`Returns\n\n${typeOf(outputSchema)}`)
  return parts.filter((part) => part !== '').join('\n\n')
}

function factsOf(contract: ToolContract): string {
  const { effect, openWorld, approval, labels, runtimes, aliases } = contract
  const { reads = [], effects } = labels ?? {}
  return [
    `Effect: ${code(effect)}${openWorld ? ', reaches outside' : ''}`,
    ...(approval === 'always' ? ['every call needs approval'] : []),
    ...(reads.length > 0 ? [`reads ${reads.join(' and ')} data`] : []),
    ...(effects === undefined ? [] : [`label ${code(`effects: ${effects}`)}`]),
    ...(runtimes.length > 0 ? [`only in ${runtimes.map(code).join(', ')}`] : []),
    ...(aliases.length > 0 ? [`also called ${aliases.map(code).join(', ')}`] : []),
  ].join('; ')
}

function fields(kind: string, { properties, required }: JsonSchema): string {
  const entries = Object.entries(isRecord(properties) ? properties : {})
  const needed = new Set(Array.isArray(required) ? required : [])
  const rows = entries.map(([name, schema]) => [
    code(name),
    isRecord(schema) ? code(inline(schema)) : '',
    kind === 'option' || !needed.has(name) ? defaultOf(schema) : '',
    describe(schema),
  ])
  return rows.length === 0 ? '' : table([kind, 'type', 'default', 'means'], rows)
}

/** On one line, without the descriptions inside. */
const inline = (schema: JsonSchema) =>
  printType(schema)
    .replaceAll(/\/\*\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')

const typeOf = (schema: JsonSchema) => `\`\`\`ts\n${printType(schema)}\n\`\`\``

function defaultOf(schema: unknown): string {
  const value = isRecord(schema) ? schema['default'] : undefined
  return value === undefined ? '' : code(JSON.stringify(value))
}

/** A nullable field is described inside. */
function describe(schema: unknown): string {
  if (!isRecord(schema)) return ''
  if (typeof schema['description'] === 'string') return schema['description']
  const branches = Array.isArray(schema['anyOf']) ? schema['anyOf'] : []
  return branches.map(describe).find((text) => text !== '') ?? ''
}
