import { toSetBy } from '../../../core/rules/read-rules.ts'
import type { Rule } from '../../../core/rules/rule-store.ts'
import type { TenantView } from '../../../core/rules/tenant-view.ts'
import type { ToolOverrides } from '../../../core/tenant-tables.ts'
import type { ToolOverride } from '../../../core/tool-override.ts'
import { overrideSpec } from '../model/override.ts'

interface Known {
  text: string
  override: ToolOverride
}

/** Reads the overrides of tenants. An unchanged one is the same object as before. */
export function createOverrideReader(): (view: TenantView) => ToolOverrides {
  const tenants = new Map<string, ReadonlyMap<string, Known>>()
  return ({ tenant: { slug }, rules }) => {
    const before = tenants.get(slug)
    const known = new Map(
      (rules.get('override') ?? []).map((rule) => [rule.name, readKnown(rule, before)]),
    )
    if (known.size > 0) tenants.set(slug, known)
    else tenants.delete(slug)
    return new Map([...known].map(([name, { override }]) => [name, override]))
  }
}

function readKnown(rule: Rule, before: ReadonlyMap<string, Known> | undefined): Known {
  const setBy = toSetBy(rule)
  const text = JSON.stringify([rule.body, setBy])
  const known = before?.get(rule.name)
  return known?.text === text ? known : { text, override: toOverride(rule, setBy) }
}

/** An override that can't be read may have disabled the tool, so it does. */
function toOverride(rule: Rule, setBy: string): ToolOverride {
  const parsed = overrideSpec.safeParse(rule.body)
  if (!parsed.success)
    return { isEnabled: false, setBy: `an override that can't be read (${setBy})` }
  return { ...(parsed.data as Omit<ToolOverride, 'setBy'>), setBy }
}
