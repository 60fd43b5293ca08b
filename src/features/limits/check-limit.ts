import { ToolError } from '../../core/kernel/errors.ts'
import type { LimitSpec } from '../../core/limits/limit.ts'
import { describeKnown } from '../../core/patterns/nearest-name.ts'
import { compilePatterns } from '../../core/patterns/patterns.ts'
import type { LimitParts } from './parts.ts'
import { isLimitName } from './schemas.ts'

interface NamedSpec {
  tenant: string
  name: string
  spec: LimitSpec
}

type Parts = Pick<LimitParts, 'rules' | 'store'>

/** Throws if a limit names something that does not exist. */
export async function checkLimit(request: NamedSpec, parts: Parts): Promise<void> {
  if (!isLimitName(request.name)) {
    throw invalid('/name', 'must be lower case letters, digits and dashes, starting with a letter')
  }
  await checkTools(request.spec.tools ?? [], { ...request, path: '/tools' }, parts)
  await checkMatch(request, parts)
}

async function checkMatch({ tenant, spec }: NamedSpec, parts: Parts): Promise<void> {
  const { of: kind, match } = spec
  if (match === undefined) return
  if (kind === 'tool') return checkTools([match], { tenant, path: '/match' }, parts)
  if (kind === 'tenant') {
    throw invalid('/match', 'a limit of the tenant covers all of it: leave match out')
  }
  // A pattern may match subjects that are added later.
  if (match.includes('*')) return
  if (kind === 'agent' && !(await parts.rules.hasAgent(tenant, match))) {
    throw invalid('/match', `there is no agent ${JSON.stringify(match)} in this tenant`)
  }
  if (kind === 'key' && (await parts.store.keys.find(tenant, match)) === undefined) {
    throw invalid('/match', `there is no key ${JSON.stringify(match)}; toolcrib keys lists them`)
  }
}

/** Patterns that can be read, and names of tools that exist. */
async function checkTools(
  patterns: readonly string[],
  { tenant, path }: { tenant: string; path: string },
  { rules }: Parts,
): Promise<void> {
  compilePatterns(patterns, (await rules.findWords(tenant)).groups)
  const tools = rules.tools(tenant)
  const names = tools.map(({ name }) => name)
  const all = new Set([...names, ...tools.flatMap(({ aliases = [] }) => aliases)])
  const packs = [...new Set(tools.map(({ pack }) => pack))]
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
