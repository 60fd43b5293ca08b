import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import { findToolState } from '../../core/policy/tool-state.ts'
import type { Store } from '../../core/ports.ts'
import type { RegisteredTool, Registry } from '../../core/registry.ts'
import { checkSecretValue } from '../../core/secrets/check-secret-value.ts'
import { mergeRequirements, type SharedRequirement } from '../../core/secrets/merge-requirements.ts'
import { probeSecret } from '../../core/secrets/probe-secret.ts'
import { createRedactor } from '../../core/secrets/redact.ts'
import type { SecretNeed, SecretsApi } from '../../core/secrets/secrets-api.ts'
import type { SecretNotes, SecretSummary } from '../../core/vault-ports.ts'
import type { ScopeSource } from '../governance/scope-source.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { agentFor, findAgentFor, isWithin } from './agent-reach.ts'
import { requirePermission } from './permissions.ts'

interface SecretAccessOptions {
  store: Store
  registry: Registry
  scopes: ScopeSource
  views: TenantViews
  ports: Pick<PipelinePorts, 'readEnv'>
}

/** Secrets of a tenant. Every change is an event, without the value. */
export function createSecretAccess(options: SecretAccessOptions): SecretsApi {
  const { store, registry, views } = options
  return {
    async listSecrets(caller, { after, limit = largestPage } = {}) {
      requirePermission(caller, 'secrets.write')
      const secrets = await store.secrets.list(caller.tenant)
      // One that is bound to an agent may know what its agent can use, and no more.
      const all = secrets.filter(({ agent }) => agent === undefined || isWithin(caller, agent))
      const tools = await toolsFor(caller, options)
      const needs = mergeRequirements(tools.map(({ contract }) => contract))
      const { items, next } = pageOfSecrets(all, after, limit)
      const { tenant } = caller
      const asked = after === undefined ? needs : []
      return {
        items: items.map((secret) => ({ ...secret, usedBy: usersOf(secret.name, needs) })),
        requirements: await Promise.all(
          asked.map((need) => toNeed(need, { items: all, tools, tenant, store })),
        ),
        ...(next !== undefined && { next }),
      }
    },
    async writeSecret(caller, { name, value, agent: asked, ...notes }) {
      requirePermission(caller, 'secrets.write')
      const agent = await findAgentFor(caller, asked, views)
      checkSecretValue(name, value, findRequirement(name, caller, registry))
      if (isKept(name, caller, registry)) assertNotesHideValue(notes, name, value)
      const { tenant, principal: by } = caller
      const summary = await store.secrets.write({ tenant, agent, by, notes }, name, value)
      await views.refresh()
      return summary
    },
    noteSecret: (caller, secret) => noteSecret(caller, secret, options),
    async deleteSecret(caller, { name, agent: asked }) {
      requirePermission(caller, 'secrets.write')
      const agent = agentFor(caller, asked)
      const { tenant, principal: by } = caller
      if (!(await store.secrets.delete({ tenant, agent, by }, name))) throw notSet(name)
      await views.refresh()
    },
    async testSecret(caller, { name, agent: asked }) {
      requirePermission(caller, 'secrets.write')
      const agent = agentFor(caller, asked)
      const values = await store.secrets.read({ tenant: caller.tenant, agent }, [name])
      const value = values.get(name) ?? ''
      if (value === '') throw notSet(name)
      const tools = (await toolsFor(caller, options)).filter(({ probes }) =>
        Object.hasOwn(probes, name),
      )
      return runProbes(tools, { name, value, readEnv: options.ports.readEnv })
    },
  }
}

async function noteSecret(
  caller: Caller,
  { name, agent: asked, ...notes }: Parameters<SecretsApi['noteSecret']>[1],
  { store, registry }: SecretAccessOptions,
): Promise<SecretSummary> {
  requirePermission(caller, 'secrets.write')
  const agent = agentFor(caller, asked)
  const { tenant, principal: by } = caller
  if (isKept(name, caller, registry)) {
    const values = await store.secrets.read({ tenant, agent }, [name])
    assertNotesHideValue(notes, name, values.get(name) ?? '')
  }
  const summary = await store.secrets.note({ tenant, agent, by }, name, notes)
  if (summary === undefined) throw notSet(name)
  return summary
}

/** A choice that its tools do not call sensitive is shown to people anyway. */
function isKept(name: string, caller: Caller, registry: Registry): boolean {
  return findRequirement(name, caller, registry)?.sensitive ?? true
}

/** Notes are shown to people: a value that was put there by mistake would be shown with them. */
function assertNotesHideValue({ description }: SecretNotes, name: string, value: string): void {
  if (typeof description !== 'string' || value === '') return
  if (createRedactor({ [name]: value }).redactText(description) === description) return
  throw new ToolError('invalid_input', `The description of ${name} holds its value`, {
    issues: [{ path: '/description', message: 'holds the value, and is shown to people' }],
    fix: 'Say what it is for and where it comes from, without the value.',
  })
}

const largestPage = 1000
const agentsShown = 100

/** A place in the list: no agent has a slash in its name. */
const placeOf = ({ name, agent = '' }: SecretSummary) => `${name}/${agent}`

/** Secrets in order, from behind a place that need not be there any more. */
function pageOfSecrets(
  secrets: readonly SecretSummary[],
  after: string | undefined,
  limit: number,
): { items: SecretSummary[]; next?: string } {
  const sorted = secrets.toSorted((one, other) => inOrder(placeOf(one), placeOf(other)))
  const rest =
    after === undefined ? sorted : sorted.filter((one) => inOrder(placeOf(one), after) > 0)
  const items = rest.slice(0, Math.min(limit, largestPage))
  const last = items.at(-1)
  return items.length < rest.length && last !== undefined
    ? { items, next: placeOf(last) }
    : { items }
}

/** Code unit order, the same on every store. */
function inOrder(one: string, other: string): number {
  return one < other ? -1 : one === other ? 0 : 1
}

/** Tools that this caller sees, or would see if they had what they need. */
async function toolsFor(
  caller: Caller,
  { registry, scopes }: Pick<SecretAccessOptions, 'registry' | 'scopes'>,
): Promise<RegisteredTool[]> {
  const scope = await scopes.scopeFor(caller)
  return registry.list(scope.tenant).filter((entry) => findToolState(entry, scope) !== undefined)
}

/** What tools ask of a value. Whoever writes it need not see them: their choices hold all the same. */
function findRequirement(
  name: string,
  { tenant }: Caller,
  registry: Registry,
): SharedRequirement | undefined {
  const contracts = registry
    .list()
    .map(({ contract }) => contract)
    .filter(({ tenants }) => tenants.length === 0 || tenants.includes(tenant))
  return mergeRequirements(contracts).find((requirement) => requirement.name === name)
}

interface NeedContext {
  items: readonly SecretSummary[]
  tools: readonly RegisteredTool[]
  tenant: string
  store: Store
}

async function toNeed(
  need: SharedRequirement,
  { items, tools, tenant, store }: NeedContext,
): Promise<SecretNeed> {
  const set = items.filter(({ name, isEmpty }) => name === need.name && isEmpty !== true)
  const isShown = need.type === 'select' && !need.sensitive
  const valueOf = async (agent: string | undefined): Promise<{ value?: string }> => {
    if (!isShown) return {}
    const value = (await store.secrets.read({ tenant, agent }, [need.name])).get(need.name)
    return value === undefined ? {} : { value }
  }
  const all = set.flatMap(({ agent }) => (agent === undefined ? [] : [agent]))
  const agents = all.slice(0, agentsShown)
  const isSet = set.some(({ agent }) => agent === undefined)
  return {
    ...need,
    isSet,
    ...(isSet && (await valueOf(undefined))),
    agents: await Promise.all(agents.map(async (agent) => ({ agent, ...(await valueOf(agent)) }))),
    ...(all.length > agentsShown && { moreAgents: all.length - agentsShown }),
    hasCheck: tools.some(({ probes }) => Object.hasOwn(probes, need.name)),
  }
}

async function runProbes(
  tools: readonly RegisteredTool[],
  request: { name: string; value: string; readEnv: PipelinePorts['readEnv'] },
) {
  const { name, value, readEnv } = request
  const checkedBy = tools.map(({ contract }) => contract.name)
  if (tools.length === 0) {
    const message = `No tool or pack brings a check for ${name}`
    return { name, status: 'unchecked' as const, message, checkedBy }
  }
  // A pack's check stands at each of its tools: it is run once.
  const probes = new Map(tools.map((entry) => [entry.probes[name], entry]))
  for (const [probe, { contract }] of probes) {
    const env = readEnv(contract.env)
    const message = probe && (await probeSecret(probe, { name, value, env }))
    if (message !== undefined) return { name, status: 'bad' as const, message, checkedBy }
  }
  return { name, status: 'good' as const, checkedBy }
}

function usersOf(name: string, needs: readonly SharedRequirement[]): string[] {
  const need = needs.find((one) => one.name === name)
  return need === undefined ? [] : [...need.requiredBy, ...need.usedBy].sort()
}

function notSet(name: string): ToolError {
  return new ToolError('not_found', `No secret ${JSON.stringify(name.slice(0, 100))} is set`, {
    fix: 'toolcrib secrets lists those that are, and whether they are an agent’s.',
  })
}
