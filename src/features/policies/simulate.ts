import { setImmediate } from 'node:timers/promises'
import type { Caller } from '../../core/kernel/call.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { decide } from '../../core/policy/decide.ts'
import type { Scope } from '../../core/policy/scope.ts'
import { agentNotFound } from '../../core/rules/agent-not-found.ts'
import { readGrants } from '../../core/rules/read-rules.ts'
import type { Rule, RuleKind } from '../../core/rules/rule-store.ts'
import type { AgentView, TenantView } from '../../core/rules/tenant-view.ts'
import { toolsOf } from '../../core/rules/tools-of.ts'
import { applyChange, settingsOf } from '../agents/change-agent.ts'
import { checkAgentSpec } from '../agents/check-agent.ts'
import { setManualGrants } from '../agents/draft-grants.ts'
import { checkPolicyDocument } from './check-document.ts'
import type { PolicyParts } from './parts.ts'
import type { SimulatedChange, Simulation, SimulationRequest } from './schemas.ts'

const agentsAtOnce = 200

/**
 * Simulates a change. The same code decides as for calls, on a view in which the new rules replace
 * the stored ones; nothing is written.
 */
export async function simulatePolicy(
  request: SimulationRequest,
  caller: Caller,
  parts: PolicyParts,
): Promise<Simulation> {
  const view = await parts.rules.findView(caller.tenant)
  if (view === undefined) return { items: [], unchanged: 0 }
  await refuseUnknown(view, request)
  const now = parts.rules.applyView(view)
  const wanted = parts.rules.applyView(toWantedView(view, request, parts))
  const page = await agentsFor(caller, request, parts)
  const items: SimulatedChange[] = []
  for (const { name: agent } of page.items) {
    const as = toCaller(caller, agent, request)
    const change = compare(agent, {
      registry: parts.registry,
      before: await now.scopeFor(as),
      after: await wanted.scopeFor(as),
    })
    if (change !== undefined) items.push(change)
    // Thousands of decisions must not delay other calls.
    await setImmediate()
  }
  const { next } = page
  return { items, unchanged: page.items.length - items.length, ...(next && { next }) }
}

async function agentsFor(
  { tenant }: Caller,
  { agent, after, limit = agentsAtOnce }: SimulationRequest,
  { store: { rules } }: PolicyParts,
): Promise<{ items: Rule[]; next?: string }> {
  if (agent === undefined) {
    return rules.page(tenant, 'agent', { after, limit: Math.min(limit, agentsAtOnce) })
  }
  const rule = await rules.find(tenant, 'agent', agent)
  if (rule === undefined) throw agentNotFound(agent)
  return { items: [rule] }
}

/** A caller with every permission, so that policy alone decides. */
function toCaller(
  { tenant, principal }: Caller,
  agent: string,
  { runtime }: SimulationRequest,
): Caller {
  return { tenant, principal, agent, permissions: ['*'], runtime: runtime ?? 'chat' }
}

function compare(
  agent: string,
  { registry, ...scopes }: { registry: PolicyParts['registry']; before: Scope; after: Scope },
): SimulatedChange | undefined {
  const change = {
    gains: [] as string[],
    loses: [] as string[],
    asked: [] as string[],
    asks: [] as string[],
    allows: [] as string[],
  }
  for (const entry of registry.list(scopes.after.tenant)) {
    const before = decide(entry, scopes.before).verdict
    const after = decide(entry, scopes.after).verdict
    if (before === after) continue
    const { name } = entry.contract
    if (before === 'deny') change.gains.push(name)
    else if (after === 'deny') change.loses.push(name)
    if (before === 'ask' && after === 'deny') change.asked.push(name)
    if (after === 'ask') change.asks.push(name)
    if (before === 'ask' && after === 'allow') change.allows.push(name)
  }
  const isSame = Object.values(change).every((tools) => tools.length === 0)
  return isSame ? undefined : { agent, ...change }
}

/** The view after the change, validated as if it were saved. */
function toWantedView(
  view: TenantView,
  request: SimulationRequest,
  options: PolicyParts,
): TenantView {
  const wanted: [
    RuleKind & ('policy' | 'provider' | 'profile' | 'group' | 'pack'),
    string,
    unknown,
  ][] = [
    ...(request.policy === undefined ? [] : [['policy', 'tenant', request.policy] as const]),
    ...entriesOf('provider', request.providers),
    ...entriesOf('profile', request.profiles),
    ...entriesOf('group', request.groups),
    ...Object.entries(request.packs ?? {}).map(
      ([name, isOn]) => ['pack', name, isOn === null ? null : { isOn }] as const,
    ),
  ].map(([kind, name, body]) => [kind, name, body])
  let changed = view
  for (const [kind, name, body] of wanted) {
    changed = { ...changed, rules: withRule(changed, kind, { name, body: body as JsonValue }) }
  }
  // After all documents are in place, because a level may name a profile of the same request.
  for (const [kind, name, body] of wanted) {
    if (body === null) continue
    checkPolicyDocument({ kind, name, body: body as JsonValue }, { ...options, view: changed })
  }
  return { ...changed, agent: withAgents(changed, request, options) }
}

function entriesOf<Kind extends string>(kind: Kind, entries: object | undefined) {
  return Object.entries(entries ?? {}).map(([name, body]) => [kind, name, body as unknown] as const)
}

function withRule(
  { rules, tenant }: TenantView,
  kind: RuleKind,
  { name, body }: { name: string; body: JsonValue },
): Map<RuleKind, readonly Rule[]> {
  const others = (rules.get(kind) ?? []).filter((rule) => rule.name !== name)
  const updatedBy = { kind: 'system', id: 'simulation' } as const
  const facts = { isDeclared: false, version: 0, updatedAt: new Date(0).toISOString(), updatedBy }
  const rule: Rule = { tenant: tenant.slug, kind, name, body, ...facts }
  return new Map(rules).set(kind, body === null ? others : [...others, rule])
}

function withAgents(
  changed: TenantView,
  { agents = {} }: SimulationRequest,
  { registry, rules }: PolicyParts,
): TenantView['agent'] {
  const { words } = rules.applyView(changed)
  return async (slug) => {
    const found = await changed.agent(slug)
    const change = Object.hasOwn(agents, slug) ? agents[slug] : undefined
    if (found === undefined || change === undefined) return found
    const spec = applyChange(found.agent, change)
    const tools = toolsOf(registry, changed.tenant.slug)
    checkAgentSpec(spec, { words, tools, before: settingsOf(found.agent) })
    const agent = { ...found.agent, body: spec as unknown as JsonValue }
    const added = (found.grants && readGrants(found.grants)) ?? []
    const grants = agent.isDeclared ? added : setManualGrants(added, change.tools ?? {})
    const body = grants as unknown as JsonValue
    const changedGrants: Rule = { ...found.agent, kind: 'grants', body }
    return { ...found, agent, grants: changedGrants } satisfies AgentView
  }
}

async function refuseUnknown(view: TenantView, { agents = {} }: SimulationRequest): Promise<void> {
  for (const slug of Object.keys(agents)) {
    if ((await view.agent(slug)) === undefined) throw agentNotFound(slug)
  }
}
