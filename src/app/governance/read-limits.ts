import { globalPrefix } from '../../core/limits/limit.ts'
import { toLimitSet, type LimitRule, type LimitSet } from '../../core/limits/limit-set.ts'
import type { ToolGroups } from '../../core/patterns/groups.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import type { Config } from '../config/config-schema.ts'
import { limitSpec } from '../../features/limits/schemas.ts'
import { toSetBy } from '../../core/rules/read-rules.ts'
import type { TenantView } from '../../core/rules/tenant-view.ts'

/** The limits of a tenant, those for everybody first; undefined where there are none. */
export function readLimits(
  view: TenantView | undefined,
  { limits }: Pick<Config, 'limits'>,
  groups: ToolGroups,
): LimitSet | undefined {
  const own = view?.rules.get('limit') ?? []
  return toLimitSet([...limits.rules.map(toGlobalRule), ...own.map(readLimit)], groups)
}

function toGlobalRule({ name, ...spec }: Config['limits']['rules'][number]): LimitRule {
  return { key: `${globalPrefix}${name}`, name, spec, setBy: 'configuration' }
}

/**
 * A stored limit. An unreadable one refuses everything: a limit that fails open does not protect.
 */
function readLimit(rule: Rule): LimitRule {
  const facts = { key: rule.name, name: rule.name, setBy: toSetBy(rule) }
  const parsed = limitSpec.safeParse(rule.body)
  if (parsed.success) return { ...facts, spec: parsed.data }
  const closed = 'it is stored in an unknown format'
  return { ...facts, spec: { of: 'tenant' }, closed }
}
