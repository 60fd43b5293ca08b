import { z } from 'zod'
import { isTool } from './define-tool.ts'
import { ToolError } from './errors.ts'
import { isRecord } from './schema/json/json-type.ts'
import { toFieldIssues } from './schema/tool-definition.ts'
import type { Pack, Tool } from './tool.ts'

/** A pack as an author writes it. */
export interface PackDefinition {
  name: string
  title: string
  description: string
  tools: readonly Tool[]
  /** Hidden until a tenant turns it on. */
  optIn?: boolean
  /** Policy groups its tools belong to: `fs` for `group:fs`. */
  groups?: readonly string[]
}

const slug = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, {
  error: 'must be a slug: a lower-case letter, then letters, digits, _ and -',
})
const packFacts = z.strictObject({
  name: slug,
  title: z.string().trim().min(1).max(200),
  description: z.string().trim().min(1).max(1024),
  tools: z.array(z.custom<Tool>(isTool, { error: 'must be made by defineTool' })).min(1),
  optIn: z.boolean().default(false),
  groups: z.array(slug).default([]),
})

/** Defines a pack: tools that belong together. Throws `invalid_tool`; freezes the result. */
export function definePack(definition: PackDefinition): Pack {
  const result = packFacts.safeParse(definition)
  if (!result.success) {
    const issues = toFieldIssues(result.error)
    const said = issues.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')
    throw new ToolError('invalid_tool', `Pack ${nameOf(definition)}: ${said}`, { issues })
  }
  const { tools, groups, ...facts } = result.data
  const names = tools.map((tool) => tool.contract.name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) {
    const message = `Pack ${facts.name}: holds ${repeated} twice. Rename one of them`
    throw new ToolError('invalid_tool', message, {
      issues: [{ path: '/tools', message: `holds ${repeated} twice` }],
    })
  }
  const lists = { tools: Object.freeze(tools), groups: Object.freeze(groups) }
  return Object.freeze({ ...facts, ...lists, [packMark]: true })
}

const packMark = Symbol.for('toolcrib.pack')

/** True for what `definePack` made, also by another copy of this module. */
export function isPack(value: unknown): value is Pack {
  return isRecord(value) && packMark in value
}

function nameOf(definition: unknown): string {
  const name = isRecord(definition) ? definition['name'] : undefined
  return typeof name === 'string' && name !== '' ? name : '(without a name)'
}
