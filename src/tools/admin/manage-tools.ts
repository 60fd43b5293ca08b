import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import type { AuthoringChange, ToolAuthoring } from '../../core/kernel/context/tool-authoring.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { Tool } from '../../core/kernel/tool.ts'

const actions = ['list', 'get', 'check', 'create', 'update', 'delete'] as const

const input = z.strictObject({
  action: z.enum(actions).describe('What to do'),
  name: z.string().max(100).nullable().describe('get, delete: the name of the tool'),
  document: z
    .string()
    .max(600_000)
    .nullable()
    .describe('check, create, update: the whole document as JSON text'),
  version: z.string().max(100).nullable().describe('update, delete: the version that get returned'),
  note: z.string().max(150).nullable().describe('create, update: why, for the list of versions'),
  after: z.string().max(200).nullable().describe('list: next of the page before'),
})
type ManageInput = z.output<typeof input>

const found = z.object({ name: z.string(), kind: z.string(), version: z.string() })
const finding = z.object({
  path: z.string().describe('JSON pointer into the document'),
  message: z.string(),
  severity: z.string(),
})

const facts = defineTool({
  name: 'tools.manage',
  title: 'Manage tools',
  description:
    'Create, change and delete tools that are documents. A document has name, description, inputSchema, optionally outputSchema, and spec, whose kind is http, prompt, task, code or composition. First action check with the document: it returns all mistakes. Then create; or get, and update with its version. create, update and delete take effect once a person has approved exactly that change; list, get and check need no approval. A change can never give a tool more rights than it had.',
  icon: 'tool',
  // Also a deletion: the versions stay, and can be restored.
  effect: 'write',
  // Made again after a crash, a change that was made already is a conflict, and nothing else.
  idempotent: false,
  openWorld: false,
  permission: 'tools.author',
  approval: 'always',
  previewBinds: true,
  timeoutMs: 60_000,
  maxOutputBytes: 1_048_576,
  inputSchema: input,
  outputSchema: z.object({
    name: z.string().optional().describe('The tool that was read or changed'),
    version: z.string().optional().describe('Its version in force'),
    document: z.string().optional().describe('get: the document as JSON text'),
    usedBy: z.array(z.string()).optional().describe('get: tools and agents that name it'),
    isPublishable: z.boolean().optional().describe('check: it can be created as it is'),
    findings: z.array(finding).optional().describe('check: mistakes and warnings'),
    tools: z.array(found).optional().describe('list: tools that you could change'),
    next: z.string().optional().describe('list: pass it as after for the next page'),
  }),
  examples: [
    {
      label: 'Which tools are documents',
      input: {
        action: 'list',
        name: null,
        document: null,
        version: null,
        note: null,
        after: null,
      },
    },
  ],

  async preview(given, { authoring }) {
    if (!isChange(given)) return { summary: 'Only reads.', changes: [] }
    return authoring.preview(toChange(given))
  },
  execute: (given, { authoring }) =>
    isChange(given) ? change(given, authoring) : read(given, authoring),
})

/** Changes ask each time; an approval of one can't be remembered for others. */
export const manageTools: Tool = Object.freeze({
  ...facts,
  asksEachTime: (given: unknown) => isChange(given as ManageInput),
})

function isChange({ action }: Pick<ManageInput, 'action'>): boolean {
  return !['list', 'get', 'check'].includes(action)
}

async function change(given: ManageInput, authoring: ToolAuthoring) {
  return authoring.apply(toChange(given))
}

async function read(given: ManageInput, authoring: ToolAuthoring) {
  if (given.action === 'list') {
    const { items, next } = await authoring.list(given.after ?? undefined)
    return { tools: [...items], ...(next !== undefined && { next }) }
  }
  if (given.action === 'get') {
    const { name, version, document, usedBy } = await authoring.get(needed(given, 'name'))
    const text = JSON.stringify(document, undefined, 2)
    return { name, version, document: text, usedBy: [...usedBy] }
  }
  const { isPublishable, findings } = await authoring.check(toDocument(given))
  const told = findings.map(({ path, message, severity }) => ({ path, message, severity }))
  return { isPublishable, findings: told }
}

function toChange(given: ManageInput): AuthoringChange {
  const { note } = given
  if (given.action === 'delete') {
    return { action: 'delete', name: needed(given, 'name'), version: needed(given, 'version') }
  }
  const document = toDocument(given)
  const { name } = (document ?? {}) as { name?: unknown }
  if (given.name !== null && given.name !== name) {
    throw invalid('name', 'is not the name in the document; leave it null')
  }
  const said = note === null ? {} : { note }
  return given.action === 'update'
    ? { action: 'update', document, version: needed(given, 'version'), ...said }
    : { action: 'create', document, ...said }
}

function toDocument(given: ManageInput): JsonValue {
  const text = needed(given, 'document')
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    throw invalid('document', `must be JSON text: ${(error as Error).message}`)
  }
}

function needed(given: ManageInput, field: 'name' | 'document' | 'version'): string {
  const value = given[field]
  if (value !== null && value !== '') return value
  throw invalid(field, `is needed for action ${given.action}`)
}

function invalid(field: string, message: string): ToolError {
  return new ToolError('invalid_input', `${field} ${message}`, {
    issues: [{ path: `/${field}`, message }],
  })
}
