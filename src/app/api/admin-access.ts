import type { Caller } from '../../core/call.ts'
import { asAgent } from '../../core/caller.ts'
import type { CribApi } from '../../core/crib-api.ts'
import { ToolError } from '../../core/errors.ts'
import type { EventType } from '../../core/events/event.ts'
import { compilePermissions } from '../../core/policy/permissions.ts'
import type { Store } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { JsonValue } from '../../core/tool.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { requirePermission } from './permissions.ts'

type AdminAccess = Pick<
  CribApi,
  'listSecrets' | 'writeSecret' | 'deleteSecret' | 'listKeys' | 'createKey' | 'revokeKey'
>

interface AdminAccessOptions {
  store: Store
  registry: Registry
  views: TenantViews
}

/** Secrets and keys. Every change is an event, without the value. */
export function createAdminAccess(options: AdminAccessOptions): AdminAccess {
  const { store } = options
  async function record(caller: Caller, type: EventType, data: JsonValue): Promise<void> {
    const { tenant, principal } = caller
    await store.events.record([{ tenant, principal, events: [{ type, at: Date.now(), data }] }])
  }
  return { ...secretAccess(options, record), ...keyAccess(options, record) }
}

type Record = (caller: Caller, type: EventType, data: JsonValue) => Promise<void>

function secretAccess(options: AdminAccessOptions, record: Record) {
  const { store, registry, views } = options
  return {
    async listSecrets(caller) {
      requirePermission(caller, 'secrets.write')
      const secrets = await store.secrets.list(caller.tenant)
      // One that is bound to an agent may know what its agent can use, and no more.
      const reachable = secrets.filter(
        ({ agent }) => agent === undefined || isWithin(caller, agent),
      )
      return reachable.map((secret) => ({ ...secret, usedBy: usersOf(secret.name, registry) }))
    },
    async writeSecret(caller, { name, value, agent: asked }) {
      requirePermission(caller, 'secrets.write')
      const agent = agentFor(caller, asked)
      if (agent !== undefined) await assertAgent(caller, agent, options.views)
      const summary = await store.secrets.write({ tenant: caller.tenant, agent }, name, value)
      await record(caller, 'secret.written', {
        name,
        version: summary.version,
        ...(agent && { agent }),
      })
      await views.refresh()
      return summary
    },
    async deleteSecret(caller, { name, agent: asked }) {
      requirePermission(caller, 'secrets.write')
      const agent = agentFor(caller, asked)
      const existed = await store.secrets.delete({ tenant: caller.tenant, agent }, name)
      if (!existed)
        throw new ToolError('not_found', `No secret ${JSON.stringify(name.slice(0, 100))} is set`)
      await record(caller, 'secret.deleted', { name, ...(agent && { agent }) })
      await views.refresh()
    },
  } satisfies Partial<AdminAccess>
}

function keyAccess(options: AdminAccessOptions, record: Record) {
  const { keys } = options.store
  return {
    async listKeys(caller) {
      requirePermission(caller, 'keys.manage')
      const all = await keys.list(caller.tenant)
      return all.filter(({ agent }) => isWithin(caller, agent))
    },
    async createKey(caller, { name, scopes, agent: asked, expiresAt }) {
      requirePermission(caller, 'keys.manage')
      const agent = agentFor(caller, asked)
      if (agent !== undefined) await assertAgent(caller, agent, options.views)
      assertNoMore(caller, scopes)
      const created = await keys.create({ tenant: caller.tenant, name, scopes, agent, expiresAt })
      await record(caller, 'key.created', {
        id: created.key.id,
        name,
        scopes: [...scopes],
        ...(agent && { agent }),
      })
      return created
    },
    async revokeKey(caller, id) {
      requirePermission(caller, 'keys.manage')
      const isInReach = caller.agent === undefined || (await isKeyOfAgent(keys, caller, id))
      if (!isInReach || !(await keys.revoke(caller.tenant, id))) {
        throw new ToolError('not_found', `There is no live key ${JSON.stringify(id.slice(0, 100))}`)
      }
      await record(caller, 'key.revoked', { id })
    },
  } satisfies Partial<AdminAccess>
}

/**
 * The agent that a change is for. A caller that is bound to one reaches its own alone: without a
 * word that one is meant, never the whole tenant, or it could hand itself what its agent lacks.
 */
function agentFor(caller: Caller, asked: string | undefined): string | undefined {
  return asAgent(caller, { agent: asked }).agent
}

function isWithin(caller: Caller, agent: string | undefined): boolean {
  return caller.agent === undefined || caller.agent === agent
}

async function isKeyOfAgent(keys: Store['keys'], caller: Caller, id: string): Promise<boolean> {
  const all = await keys.list(caller.tenant)
  return all.some((key) => key.id === id && isWithin(caller, key.agent))
}

/** A key can't hand out more than it has. A pattern is held when it is held letter by letter or wider. */
function assertNoMore(caller: Caller, scopes: readonly string[]): void {
  const held = compilePermissions(caller.permissions)
  const excess = scopes.find((scope) => !held.has(scope))
  if (excess === undefined) return
  throw new ToolError(
    'forbidden',
    `You do not hold ${excess} yourself, so you can't give it to a key`,
  )
}

async function assertAgent(caller: Caller, agent: string, views: TenantViews): Promise<void> {
  const view = await views.find(caller.tenant)
  if ((await view?.agent(agent)) !== undefined) return
  throw new ToolError(
    'not_found',
    `There is no agent ${JSON.stringify(agent.slice(0, 100))} in this tenant`,
  )
}

function usersOf(name: string, registry: Registry): string[] {
  return registry.list().flatMap(({ tool: { contract } }) => {
    return contract.secrets.some((secret) => secret.key === name) ? [contract.name] : []
  })
}
