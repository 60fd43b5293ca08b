import { labelSchema } from '../../core/flow/label-schema.ts'
import type { LabelRule } from '../../core/kernel/tool-labels.ts'
import { declaredBy } from '../../core/policy/changes.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import type { Config } from '../config/config-schema.ts'
import { toSetBy } from '../../core/rules/read-rules.ts'
import type { TenantView } from '../../core/rules/tenant-view.ts'

/**
 * Labels of tools from configuration and tenant. Does not throw: an unreadable label is replaced by
 * the strictest.
 */
export function readLabels(
  declared: Config['labels'],
  view: TenantView | undefined,
): readonly LabelRule[] {
  const everywhere = Object.entries(declared).map(([pattern, labels]): LabelRule => ({
    pattern,
    labels,
    origin: 'configuration',
    setBy: declaredBy,
  }))
  return Object.freeze([...everywhere, ...(view?.rules.get('label') ?? []).map(readLabel)])
}

function readLabel(rule: Rule): LabelRule {
  const parsed = labelSchema.safeParse(rule.body)
  const facts = { pattern: rule.name, origin: 'tenant', setBy: toSetBy(rule) } as const
  if (parsed.success) return { ...facts, labels: parsed.data }
  return { ...facts, labels: {}, closed: 'it is stored in an unknown format' }
}
