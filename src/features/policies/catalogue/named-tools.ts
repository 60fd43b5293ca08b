import type { JsonValue } from '../../../core/kernel/json.ts'
import { canonicalJson } from '../../../core/kernel/json/canonical-json.ts'
import type { Stores } from '../../stores.ts'
import { namesTool, settingsIn } from '../../../core/rules/read-rules.ts'
import { grantsSchema } from '../../../core/rules/rule-schemas.ts'
import type { Rule, RuleDraft } from '../../../core/rules/rule-store.ts'
import { allTenants } from '../../../core/rules/all-tenants.ts'

type Needed = Pick<Stores, 'rules' | 'tenants'>

const by = { kind: 'system', id: 'catalogue' } as const

/** Renames the tool in all rules that name it, in every tenant. */
export async function renameTool(
  { from, to }: { from: string; to: string },
  store: Needed,
): Promise<void> {
  await changeNaming(store, from, async (draft, rule) => {
    await draft.put(rule.kind, rule.name, { body: replaceName(rule, { from, to }) })
    draft.tell('grant.renamed', { agent: rule.name, from, to })
  })
}

/**
 * Removes grants of the tool in every tenant. Rules that deny it to an agent are kept: otherwise a
 * new tool of this name would be allowed without anybody's decision.
 */
export async function forgetTool(tool: string, store: Needed): Promise<void> {
  await changeNaming(store, tool, async (draft, rule) => {
    const body = replaceName(rule, { from: tool })
    if (canonicalJson(body) === canonicalJson(rule.body)) return
    await draft.put(rule.kind, rule.name, { body })
    draft.tell('grant.removed', { agent: rule.name, pattern: tool, reason: 'the tool is gone' })
  })
}

/**
 * Declared rules are not changed: they keep the old name until somebody edits the configuration.
 */
async function changeNaming(
  { rules, tenants }: Needed,
  tool: string,
  change: (draft: RuleDraft, rule: Rule) => Promise<void>,
): Promise<void> {
  for await (const { slug } of allTenants({ tenants })) {
    const found = await rules.read(slug, ['agent', 'grants'])
    const concerned = found.filter((rule) => !rule.isDeclared && namesTool(rule, tool))
    if (concerned.length === 0) continue
    await rules.change(slug, by, async (draft) => {
      for (const { kind, name } of concerned) {
        const rule = await draft.find(kind, name)
        if (rule !== undefined && namesTool(rule, tool)) await change(draft, rule)
      }
    })
  }
}

function replaceName({ kind, body }: Rule, { from, to }: { from: string; to?: string }): JsonValue {
  if (kind === 'grants') {
    return grantsSchema.parse(body).flatMap((grant) => {
      if (grant.pattern !== from) return [grant]
      if (to !== undefined) return [{ ...grant, pattern: to }]
      return grant.kind === 'deny' ? [grant] : []
    })
  }
  const { [from]: moved, ...others } = settingsIn(body) ?? {}
  const strict = strictestOf(moved)
  const settings =
    to === undefined
      ? { ...others, ...(Object.keys(strict).length > 0 && { [from]: strict }) }
      : { ...others, [to]: { ...fieldsOf(moved), ...fieldsOf(others[to]), ...strict } }
  return { ...(body as Record<string, JsonValue>), settings }
}

/** The parts of a tool's settings that restrict its use. */
function strictestOf(settings: JsonValue | undefined): Record<string, JsonValue> {
  const { enabled, needsApproval } = fieldsOf(settings)
  return {
    ...(enabled === false && { enabled }),
    ...(needsApproval === true && { needsApproval }),
  }
}

function fieldsOf(value: JsonValue | undefined): Record<string, JsonValue> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? value : {}
}
