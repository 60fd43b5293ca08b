import { ToolError } from '../../core/errors.ts'
import type { LimitSpec } from '../../core/limits/limit.ts'
import { describeKnown } from '../../core/policy/nearest-name.ts'
import type { Groups } from '../../core/policy/groups.ts'
import { compilePatterns } from '../../core/policy/patterns.ts'
import type { Store } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { TenantView } from '../governance/tenant-views.ts'
import { isLimitName, limitSchema } from '../limit-schema.ts'
import { readWith } from '../../core/schema/read-with.ts'

/** What a limit may name. */
export interface LimitSurroundings {
  tenant: string
  view: TenantView | undefined
  groups: Groups
  registry: Registry
  keys: Store['keys']
}

/** A limit that makes sense and names what is there, or why it does not. */
export async function checkLimit(
  { name, spec }: { name: string; spec: LimitSpec },
  known: LimitSurroundings,
): Promise<LimitSpec> {
  if (!isLimitName(name)) {
    throw invalid('/name', 'must be lower case letters, digits and dashes, starting with a letter')
  }
  const parsed = readWith(limitSchema, spec)
  if (!parsed.ok) {
    const [first] = parsed.issues
    throw invalid(first?.path || '/', first?.message ?? 'is not a limit')
  }
  checkTools(parsed.value.tools ?? [], '/tools', known)
  await checkMatch(parsed.value, known)
  return parsed.value
}

async function checkMatch({ of: kind, match }: LimitSpec, known: LimitSurroundings): Promise<void> {
  if (match === undefined) return
  if (kind === 'tool') return checkTools([match], '/match', known)
  if (kind === 'tenant') {
    throw invalid('/match', 'a limit of the tenant is for the whole of it: leave match out')
  }
  // A pattern may fit those who come later.
  if (match.includes('*')) return
  if (kind === 'agent' && (await known.view?.agent(match)) === undefined) {
    throw invalid('/match', `there is no agent ${JSON.stringify(match)} in this tenant`)
  }
  if (kind === 'key') {
    if ((await known.keys.find(known.tenant, match)) !== undefined) return
    throw invalid('/match', `there is no key ${JSON.stringify(match)}; toolcrib keys lists them`)
  }
}

/** Patterns that can be read, and names of tools that are there. */
function checkTools(patterns: readonly string[], path: string, known: LimitSurroundings): void {
  compilePatterns(patterns, known.groups)
  // Tools of other tenants are none of this one's business, not even by name.
  const contracts = known.registry
    .list()
    .map(({ contract }) => contract)
    .filter(({ tenants }) => tenants.length === 0 || tenants.includes(known.tenant))
  const names = contracts.map(({ name }) => name)
  const all = new Set([...names, ...contracts.flatMap(({ aliases }) => aliases)])
  const packs = [...new Set(contracts.map(({ pack }) => pack))]
  for (const pattern of patterns) {
    const pack = /^pack:(.+)$/.exec(pattern)?.[1]
    if (pack !== undefined && !packs.includes(pack)) {
      throw invalid(path, `there is no pack "${pack}"; ${describeKnown(pack, packs)}`)
    }
    const isName = !pattern.includes('*') && !/^(?:group|pack):/.test(pattern)
    if (isName && !all.has(pattern)) {
      throw invalid(path, `there is no tool "${pattern}"; ${describeKnown(pattern, names)}`)
    }
  }
}

function invalid(path: string, message: string): ToolError {
  return new ToolError('invalid_request', `The limit is not valid: ${path} ${message}`, {
    issues: [{ path, message }],
  })
}
