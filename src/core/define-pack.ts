import { z } from 'zod'
import { isTool } from './define-tool.ts'
import { type Issue, ToolError } from './kernel/errors.ts'
import { isRecord } from './kernel/json/json-type.ts'
import { findProbeIssues, type SecretProbes } from './kernel/secret-probe.ts'
import { toFieldIssues } from './schema/tool-definition.ts'
import type { Pack, Tool } from './kernel/tool.ts'

/** A pack as an author writes it. */
export interface PackDefinition {
  name: string
  title: string
  description: string
  tools: readonly Tool[]
  /** Hidden until a tenant enables it. */
  optIn?: boolean
  /** Policy groups its tools belong to: `fs` for `group:fs`. */
  groups?: readonly string[]
  /** Checks for the secrets that its tools declare, by name. */
  checkSecrets?: SecretProbes
}

const slug = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, {
  error: 'must be a slug: a lower-case letter, then letters, digits, _ and -',
})
const packFacts = z.strictObject({
  name: slug,
  title: z.string().trim().min(1).max(200),
  description: z.string().trim().min(1).max(1024),
  tools: z.array(z.custom<Tool>(isTool, { error: 'must be created by defineTool' })).min(1),
  optIn: z.boolean().default(false),
  groups: z.array(slug).default([]),
})

/** Defines a pack of tools that belong together. Throws `invalid_tool`; freezes the result. */
export function definePack(definition: PackDefinition): Pack {
  const { checkSecrets, ...given } = isRecord(definition) ? definition : {}
  const result = packFacts.safeParse(given, { reportInput: true })
  if (!result.success) throw invalidPack(definition, toFieldIssues(result.error))
  const { tools, groups, ...facts } = result.data
  const declared = tools.flatMap(({ contract }) => contract.secrets.map(({ key }) => key))
  const probeIssues = findProbeIssues(checkSecrets, declared)
  if (probeIssues.length > 0) throw invalidPack(definition, probeIssues)
  const names = tools.map((tool) => tool.contract.name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) {
    const message = `Pack ${facts.name}: contains ${repeated} twice. Rename one of them`
    throw new ToolError('invalid_tool', message, {
      issues: [{ path: '/tools', message: `contains ${repeated} twice` }],
    })
  }
  const lists = { tools: Object.freeze(tools), groups: Object.freeze(groups) }
  const probes = checkSecrets === undefined ? {} : { checkSecrets }
  return Object.freeze({ ...facts, ...lists, ...probes, [packMark]: true })
}

const packMark = Symbol.for('toolcrib.pack')

/** True for the result of `definePack`, also from another copy of this module. */
export function isPack(value: unknown): value is Pack {
  return isRecord(value) && packMark in value
}

function invalidPack(definition: unknown, issues: Issue[]): ToolError {
  const said = issues.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')
  return new ToolError('invalid_tool', `Pack ${nameOf(definition)}: ${said}`, { issues })
}

function nameOf(definition: unknown): string {
  const name = isRecord(definition) ? definition['name'] : undefined
  return typeof name === 'string' && name !== '' ? name : '(without a name)'
}
