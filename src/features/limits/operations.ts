import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { pageOf, pageQuery, shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import type { WrittenPatterns } from '../../core/policy/idle-patterns.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import { checkLimit } from './check-limit.ts'
import { findKnown, limitNotFound, listKnown, toKnown } from './known-limits.ts'
import type { LimitParts } from './parts.ts'
import { readUse } from './read-use.ts'
import { limit, limitSpec, type LimitRequest } from './schemas.ts'

const shownInList = 3
const mostOfTenant = 1000

const define = operationsOf<LimitParts>('Limits')
const params = { name: 'The name of the limit' }
const readers = { oneOf: ['usage.read', 'limits.manage'] } as const

const listLimits = define({
  http: 'GET /api/v1/limits',
  summary: 'List limits with their heaviest users',
  description: 'Each includes its three heaviest users.',
  needs: readers,
  agents: 'none',
  query: pageQuery(50, 200),
  answer: { description: 'A page of limits', schema: pageOf(limit) },
  async run({ after, limit: most }, { caller, parts }) {
    const all = await listKnown(caller.tenant, parts)
    const rest = after === undefined ? all : all.filter(({ key }) => key > after)
    const page = rest.slice(0, most)
    const { tenant } = caller
    const items = await Promise.all(
      page.map((known) => readUse({ tenant, known, after: 0, most: shownInList }, parts.store)),
    )
    return rest.length > most ? { items, next: page.at(-1)?.key } : { items }
  },
})

const findLimit = define({
  http: 'GET /api/v1/limits/{name}',
  summary: 'Get a limit and page through who uses it',
  needs: readers,
  agents: 'none',
  params,
  query: pageQuery(50, 200).extend({
    after: shortText('The `next` of the previous page')
      .refine((after) => /^\d{1,9}$/.test(after), {
        error: 'is not a page cursor: pass the `next` of the previous page, or leave it out',
      })
      .optional(),
  }),
  answer: { description: 'The limit', schema: limit },
  async run({ name, after = '0', limit: most }, { caller, parts }) {
    const known = await findKnown(caller.tenant, name, parts)
    const { tenant } = caller
    return readUse({ tenant, known, after: Number(after), most }, parts.store)
  },
})

const writeLimit = define({
  http: 'PUT /api/v1/limits/{name}',
  summary: 'Set a limit',
  description:
    'Creates or replaces it, on every node within a second. Agents, keys and tools that it names must exist.',
  needs: 'limits.manage',
  agents: 'none',
  params,
  body: limitSpec,
  answer: { description: 'The limit', schema: limit },
  refusals: { 409: 'The configuration declares a limit of this name' },
  async run({ name, ...spec }, { caller, parts }) {
    const { store, rules } = parts
    const { tenant } = caller
    await checkLimit({ tenant, name, spec }, parts)
    if (isGlobal(name, parts)) throw declared(name)
    const rule = await write(caller, { name, spec }, store)
    await rules.refresh()
    const warnings = await rules.findPatternWarnings(tenant, patternsOf(spec))
    const shown = { tenant, known: toKnown(rule), after: 0, most: shownInList }
    return { ...(await readUse(shown, store)), warnings }
  },
})

const deleteLimit = define({
  http: 'DELETE /api/v1/limits/{name}',
  summary: 'Delete a limit',
  needs: 'limits.manage',
  agents: 'none',
  params,
  async run({ name }, { caller, parts }) {
    await parts.store.rules.change(caller.tenant, caller.principal, async (draft) => {
      const rule = await draft.find('limit', name)
      if (rule === undefined && !isGlobal(name, parts)) throw limitNotFound(name)
      if (rule === undefined || rule.isDeclared) throw declared(name)
      await draft.delete('limit', name)
      draft.tell('policy.changed', { kind: 'limit', name, change: 'deleted' })
    })
    await parts.rules.refresh()
  },
})

/** Everything that can be done with limits, by library method. */
export const limitOperations = { listLimits, findLimit, writeLimit, deleteLimit }

async function write(
  caller: Caller,
  { name, spec }: { name: string; spec: LimitRequest },
  { rules }: Pick<LimitParts['store'], 'rules'>,
): Promise<Rule> {
  return rules.change(caller.tenant, caller.principal, async (draft) => {
    const all = await draft.list('limit')
    const before = all.find((rule) => rule.name === name)
    if (before?.isDeclared === true) throw declared(name)
    if (before === undefined && all.length >= mostOfTenant) throw tooMany()
    const rule = await draft.put('limit', name, { body: spec })
    const change = before === undefined ? 'created' : 'changed'
    draft.tell('policy.changed', { kind: 'limit', name, change, limit: rule.body })
    return rule
  })
}

function patternsOf({ of: kind, match, tools = [] }: LimitRequest): WrittenPatterns[] {
  return [
    { where: 'match', patterns: kind === 'tool' && match !== undefined ? [match] : [] },
    { where: 'tools', patterns: tools },
  ]
}

function isGlobal(name: string, { everywhere }: Pick<LimitParts, 'everywhere'>): boolean {
  return everywhere.some((rule) => rule.name === name)
}

function declared(name: string): ToolError {
  return new ToolError('conflict', `The limit ${name} is declared in the configuration`, {
    fix: 'Change it there and restart, or use another name.',
  })
}

function tooMany(): ToolError {
  return new ToolError('quota_exceeded', `There are already ${mostOfTenant} limits`, {
    fix: 'Delete limits you do not need, or replace several with one pattern.',
  })
}
