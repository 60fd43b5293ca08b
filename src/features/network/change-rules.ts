import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { canonicalJson } from '../../core/kernel/json/canonical-json.ts'
import type { Rule, RuleDraft } from '../../core/rules/rule-store.ts'
import type { NetworkParts } from './parts.ts'
import { isRuleId, mostRules, type NetworkRulesRequest, type NetworkRuleSpec } from './schemas.ts'

type Parts = Pick<NetworkParts, 'store' | 'rules'>
type Wanted = ReadonlyMap<string, NetworkRuleSpec>

/** Makes these the rules of the tenant. Unchanged rules keep their author. */
export async function replaceRules(
  caller: Caller,
  { rules: wanted }: NetworkRulesRequest,
  parts: Parts,
): Promise<void> {
  const byId: Wanted = new Map(wanted.map(({ id, ...spec }) => [id, spec]))
  await refuseUnknownAgents(caller.tenant, [...byId.values()], parts)
  await parts.store.rules.change(caller.tenant, caller.principal, async (draft) => {
    for (const rule of await draft.list('network')) {
      // Those of the configuration stay: who replaces the others need not know them.
      if (!byId.has(rule.name) && !rule.isDeclared) await remove(draft, rule)
    }
    for (const [id, spec] of byId) await put(draft, id, spec)
  })
  await parts.rules.refresh()
}

/** Creates or replaces one rule. */
export async function putRule(
  caller: Caller,
  { id, spec, version }: { id: string; spec: NetworkRuleSpec; version?: number | undefined },
  parts: Parts,
): Promise<Rule> {
  if (!isRuleId(id)) throw badId(id)
  await refuseUnknownAgents(caller.tenant, [spec], parts)
  const written = await parts.store.rules.change(caller.tenant, caller.principal, async (draft) => {
    const all = await draft.list('network')
    const known = all.find((rule) => rule.name === id)
    refuseStale(known, version)
    if (known === undefined && all.length >= mostRules) throw tooMany()
    return put(draft, id, spec)
  })
  await parts.rules.refresh()
  return written
}

export async function deleteRule(caller: Caller, id: string, parts: Parts): Promise<void> {
  await parts.store.rules.change(caller.tenant, caller.principal, async (draft) => {
    const known = await draft.find('network', id)
    if (known === undefined) throw ruleNotFound(id)
    refuseDeclared(known)
    await remove(draft, known)
  })
  await parts.rules.refresh()
}

async function put(draft: RuleDraft, id: string, spec: NetworkRuleSpec): Promise<Rule> {
  const body = toBody(spec)
  const known = await draft.find('network', id)
  if (known !== undefined && canonicalJson(known.body) === canonicalJson(body)) return known
  refuseDeclared(known)
  const rule = await draft.put('network', id, { body })
  const change = known === undefined ? 'created' : 'changed'
  draft.tell('network.changed', { id, change, before: known?.body ?? null, after: body })
  return rule
}

async function remove(draft: RuleDraft, { name: id, body }: Rule): Promise<void> {
  await draft.delete('network', id)
  draft.tell('network.changed', { id, change: 'deleted', before: body })
}

function toBody({ agent, pack, allow, deny, note }: NetworkRuleSpec): JsonValue {
  return {
    ...(agent !== undefined && { agent }),
    ...(pack !== undefined && { pack }),
    allow,
    deny,
    ...(note !== undefined && { note }),
  }
}

async function refuseUnknownAgents(
  tenant: string,
  specs: readonly NetworkRuleSpec[],
  { rules }: Parts,
): Promise<void> {
  for (const agent of new Set(specs.map((spec) => spec.agent))) {
    if (agent === undefined || (await rules.hasAgent(tenant, agent))) continue
    throw new ToolError('invalid_request', `There is no agent ${agent} in this tenant`, {
      issues: [{ path: '/agent', message: 'is not an agent of this tenant' }],
    })
  }
}

function refuseStale(rule: Rule | undefined, version: number | undefined): void {
  const current = rule?.version ?? 0
  if (version === undefined || version === current) return
  throw new ToolError('conflict', `It has changed: it now has version ${current}`, {
    fix: 'Read it again, then change that version.',
    details: { version: current },
  })
}

function refuseDeclared(rule: Rule | undefined): void {
  if (rule?.isDeclared !== true) return
  throw new ToolError('conflict', `The rule ${rule.name} is declared in the configuration`, {
    fix: 'Change it in the configuration, or add a rule that narrows it further.',
  })
}

function badId(id: string): ToolError {
  return new ToolError('invalid_request', `${JSON.stringify(id.slice(0, 100))} is not a valid id`, {
    fix: 'Use lower case letters, digits and dashes, starting with a letter.',
  })
}

function ruleNotFound(id: string): ToolError {
  return new ToolError(
    'not_found',
    `There is no network rule ${JSON.stringify(id.slice(0, 100))}`,
    {
      fix: 'toolcrib network lists them.',
    },
  )
}

function tooMany(): ToolError {
  return new ToolError('quota_exceeded', `There are already ${mostRules} network rules`, {
    fix: 'Delete rules you do not need, or replace several with one pattern.',
  })
}
