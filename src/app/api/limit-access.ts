import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { Limit, LimitSpec, LimitWithUse } from '../../core/limits/limit.ts'
import type { LimitsApi } from '../../core/limits/limits-api.ts'
import type { Store } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import type { Config } from '../config-schema.ts'
import { globalPrefix } from '../governance/read-limits.ts'
import { toWords } from '../governance/tenant-scopes.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { limitSchema } from '../limit-schema.ts'
import { checkLimit } from './limit-request.ts'
import { readUse } from './limit-use.ts'
import { requireOneOf, requirePermission } from './permissions.ts'

interface LimitAccessOptions {
  store: Store
  registry: Registry
  views: TenantViews
  config: Pick<Config, 'limits' | 'profiles' | 'groups'>
}

const largestPage = 200
const shownInList = 3
const mostOfTenant = 1000

/** Limits. Changing them needs `limits.manage`, reading them that or `usage.read`. */
export function createLimitAccess(options: LimitAccessOptions): LimitsApi {
  const { store, views } = options
  return {
    async listLimits(caller, query) {
      requireReader(caller)
      const most = toLimit(query.limit)
      const all = await listAll(caller.tenant, options)
      const { after } = query
      const rest = after === undefined ? all : all.filter(({ key }) => key > after)
      const page = rest.slice(0, most)
      const items = await Promise.all(
        page.map((known) => withUse(caller, { known, after: 0, most: shownInList }, options)),
      )
      return rest.length > most ? { items, next: page.at(-1)?.key } : { items }
    },
    async findLimit(caller, name, query) {
      requireReader(caller)
      const known = await find(caller.tenant, name, options)
      return withUse(
        caller,
        { known, after: toOffset(query.after), most: toLimit(query.limit) },
        options,
      )
    },
    async writeLimit(caller, name, spec) {
      requireManager(caller)
      const view = await views.find(caller.tenant)
      const { groups } = toWords(view, options.config, options.registry.packs())
      const { registry } = options
      const known = { tenant: caller.tenant, view, groups, registry, keys: store.keys }
      const checked = await checkLimit({ name, spec }, known)
      refuseGlobal(name, options)
      const rule = await write(caller, { name, spec: checked }, store)
      await views.refresh()
      return withUse(caller, { known: toKnown(rule), after: 0, most: shownInList }, options)
    },
    async deleteLimit(caller, name) {
      requireManager(caller)
      await store.rules.change(caller.tenant, caller.principal, async (draft) => {
        const rule = await draft.find('limit', name)
        if (rule === undefined) {
          if (isGlobal(name, options)) throw declared(name)
          throw limitNotFound(name)
        }
        if (rule.isDeclared) throw declared(name)
        await draft.delete('limit', name)
        draft.tell('policy.changed', { kind: 'limit', name, change: 'deleted' })
      })
      await views.refresh()
    },
  }
}

/** A limit with what its counts are kept under. */
interface KnownLimit {
  key: string
  limit: Limit
}

/** Those for everybody, then the tenant's own, each by name. */
async function listAll(
  tenant: string,
  { views, config }: LimitAccessOptions,
): Promise<KnownLimit[]> {
  const own = ((await views.find(tenant))?.rules.get('limit') ?? []).map(toKnown)
  const everywhere = config.limits.rules.map(({ name, ...spec }): KnownLimit => {
    const limit = { name, ...spec, isGlobal: true, isDeclared: true }
    return { key: `${globalPrefix}${name}`, limit }
  })
  return [...everywhere, ...own].toSorted((left, right) => (left.key < right.key ? -1 : 1))
}

/** Missing and foreign ones are one answer. */
async function find(
  tenant: string,
  name: string,
  options: LimitAccessOptions,
): Promise<KnownLimit> {
  const all = await listAll(tenant, options)
  const found = all.findLast(({ limit }) => limit.name === name)
  if (found === undefined) throw limitNotFound(name)
  return found
}

function toKnown(rule: Rule): KnownLimit {
  const { name, isDeclared, updatedAt, updatedBy } = rule
  const parsed = limitSchema.safeParse(rule.body)
  const facts = { name, isGlobal: false, isDeclared, updatedAt, updatedBy }
  if (parsed.success) return { key: name, limit: { ...parsed.data, ...facts } }
  const closed = 'it is stored in a form that is not known, and lets nothing through'
  return { key: name, limit: { of: 'tenant', ...facts, closed } }
}

async function withUse(
  { tenant }: Caller,
  { known, after, most }: { known: KnownLimit; after: number; most: number },
  { store }: LimitAccessOptions,
): Promise<LimitWithUse> {
  const { key, limit } = known
  return { ...limit, ...(await readUse({ tenant, key, limit, after, most }, store)) }
}

async function write(
  caller: Caller,
  { name, spec }: { name: string; spec: LimitSpec },
  { rules }: Store,
): Promise<Rule> {
  return rules.change(caller.tenant, caller.principal, async (draft) => {
    const all = await draft.list('limit')
    const before = all.find((rule) => rule.name === name)
    if (before?.isDeclared === true) throw declared(name)
    if (before === undefined && all.length >= mostOfTenant) throw tooMany()
    const { tools, ...more } = spec
    const body = tools === undefined ? more : { ...more, tools: [...tools] }
    const rule = await draft.put('limit', name, { body })
    const change = before === undefined ? 'created' : 'changed'
    draft.tell('policy.changed', { kind: 'limit', name, change, limit: rule.body })
    return rule
  })
}

function requireReader(caller: Caller): void {
  requireOneOf(caller, ['usage.read', 'limits.manage'])
  refuseBound(caller)
}

function requireManager(caller: Caller): void {
  requirePermission(caller, 'limits.manage')
  refuseBound(caller)
}

/** Limits are the tenant's: who is bound to one agent has no say in them, and no look at others. */
function refuseBound({ agent }: Caller): void {
  if (agent === undefined) return
  throw new ToolError('forbidden', `This key is bound to the agent ${agent}`, {
    fix: 'Use a key that is not bound to an agent.',
  })
}

function isGlobal(name: string, { config }: LimitAccessOptions): boolean {
  return config.limits.rules.some((rule) => rule.name === name)
}

function refuseGlobal(name: string, options: LimitAccessOptions): void {
  if (isGlobal(name, options)) throw declared(name)
}

function declared(name: string): ToolError {
  return new ToolError('conflict', `The limit ${name} is declared in the configuration`, {
    fix: 'Change it there and start again, or use another name.',
  })
}

function tooMany(): ToolError {
  return new ToolError('quota_exceeded', `There are ${mostOfTenant} limits already`, {
    fix: 'Remove those that are not needed, or let one pattern stand for several.',
  })
}

function limitNotFound(name: string): ToolError {
  return new ToolError('not_found', `There is no limit ${JSON.stringify(name.slice(0, 100))}`, {
    fix: 'toolcrib limits lists them.',
  })
}

function toLimit(asked: number): number {
  return Math.min(Math.max(1, Math.trunc(asked) || 1), largestPage)
}

function toOffset(after: string | undefined): number {
  if (after === undefined) return 0
  if (/^\d{1,9}$/.test(after)) return Number(after)
  throw new ToolError('invalid_request', 'This is not the cursor of a page', {
    fix: 'Pass the `next` of the page before, or leave `after` out.',
  })
}
