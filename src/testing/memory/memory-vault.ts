import type { Principal } from '../../core/call.ts'
import type { EventType } from '../../core/events/event.ts'
import { createId } from '../../core/ids.ts'
import { firstOwnerId } from '../../core/people/member.ts'
import type { JsonValue } from '../../core/json.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import type { RuleStore } from '../../core/rules/rule-store.ts'
import type {
  ApiKey,
  KeyOwner,
  KeyStore,
  SecretNotes,
  SecretSummary,
  SecretVault,
} from '../../core/vault-ports.ts'

/** Secrets in memory. What is there bears on decisions, so a change of them is one of the tenant's rules. */
export function createMemoryVault(events: EventLog, rules: RuleStore): SecretVault {
  const secrets = new Map<string, { tenant: string; value: string; summary: SecretSummary }>()
  const keyOf = (tenant: string, agent: string | undefined, name: string) =>
    JSON.stringify([tenant, agent ?? null, name])
  const noteChange = (tenant: string) =>
    rules.change(tenant, { kind: 'system', id: 'vault' }, () => Promise.resolve())
  return {
    async write({ tenant, agent, by, notes = {} }, name, value) {
      const key = keyOf(tenant, agent, name)
      const before = secrets.get(key)?.summary
      const facts = {
        name,
        version: (before?.version ?? 0) + 1,
        ...(agent !== undefined && { agent }),
      }
      const kept = before?.description !== undefined && { description: before.description }
      const updatedAt = new Date().toISOString()
      const summary = withNotes({ ...facts, ...kept, updatedAt }, notes)
      secrets.set(key, { tenant, value, summary })
      await tell(events, { tenant, by, type: 'secret.written', data: facts })
      await noteChange(tenant)
      return summary
    },
    async note({ tenant, agent, by }, name, notes) {
      const secret = secrets.get(keyOf(tenant, agent, name))
      if (secret === undefined) return undefined
      secret.summary = withNotes(secret.summary, notes)
      const data = {
        name,
        ...(agent !== undefined && { agent }),
        parts: Object.keys(notes),
      }
      await tell(events, { tenant, by, type: 'secret.changed', data })
      return secret.summary
    },
    async delete({ tenant, agent, by }, name) {
      if (!secrets.delete(keyOf(tenant, agent, name))) return false
      const data = { name, ...(agent !== undefined && { agent }) }
      await tell(events, { tenant, by, type: 'secret.deleted', data })
      await noteChange(tenant)
      return true
    },
    list: async (tenant) =>
      [...secrets.values()].filter((one) => one.tenant === tenant).map((one) => one.summary),
    async read({ tenant, agent }, names) {
      const found = names.flatMap((name): [string, string][] => {
        const own = agent === undefined ? undefined : secrets.get(keyOf(tenant, agent, name))
        const secret = own ?? secrets.get(keyOf(tenant, undefined, name))
        return secret === undefined ? [] : [[name, secret.value]]
      })
      return new Map(found)
    },
  }
}

function withNotes(
  { description: said, expiresAt: until, ...summary }: SecretSummary,
  { description = said, expiresAt }: SecretNotes,
): SecretSummary {
  const end = expiresAt === undefined ? until : expiresAt?.toISOString()
  return {
    ...summary,
    ...(typeof description === 'string' && { description }),
    ...(end !== undefined && { expiresAt: end }),
  }
}

export interface MemoryKeys extends KeyStore {
  /** Ends the keys that this member answers for. */
  revokeOf(tenant: string, member: string, by: Principal): Promise<void>
}

/** API keys in memory. The secret before a rotation stops at once. */
export function createMemoryKeys(events: EventLog): MemoryKeys {
  const keys = new Map<string, ApiKey>()
  /** Of keys by id: the person it belongs to. */
  const owners = new Map<string, KeyOwner>()
  function noteOwner(id: string, by: Principal | undefined, tenant: string): void {
    const own = by?.kind === 'user' && by.id !== firstOwnerId ? { tenant, id: by.id } : undefined
    const owner = by?.kind === 'key' ? owners.get(by.id) : own
    if (owner === undefined) owners.delete(id)
    else owners.set(id, owner)
  }
  const ownerOf = (id: string) => {
    const owner = owners.get(id)
    return owner === undefined ? {} : { owner }
  }
  const find = (tenant: string, id: string) =>
    [...keys].find(([, key]) => key.tenant === tenant && key.id === id)
  const toToken = (id: string) => `crib_${id}_${crypto.randomUUID()}`
  return {
    async create({ expiresAt, by, home, ...facts }) {
      const id = createId('key')
      noteOwner(id, by, home ?? facts.tenant)
      const key: ApiKey = { id, ...facts, ...ownerOf(id), createdAt: new Date().toISOString() }
      if (expiresAt !== undefined) key.expiresAt = expiresAt.toISOString()
      const token = toToken(id)
      keys.set(token, key)
      const { tenant, name, scopes } = key
      const data = { id, name, scopes: [...scopes] }
      await tell(events, { tenant, by, type: 'key.created', data })
      return { key, token }
    },
    async issueToken({ tenant, parent, visitor, scopes, agent, untilMs }) {
      const known = [...keys.values()].find(
        (key) => key.parent === parent && key.visitor === visitor,
      )
      const id = known?.id ?? createId('key')
      noteOwner(id, { kind: 'key', id: parent }, tenant)
      const token = toToken(id)
      const key: ApiKey = {
        id,
        tenant,
        name: visitor,
        scopes,
        ...(agent !== undefined && { agent }),
        createdAt: known?.createdAt ?? new Date().toISOString(),
        expiresAt: new Date(untilMs).toISOString(),
        parent,
        visitor,
        ...ownerOf(id),
      }
      keys.set(token, key)
      return { key, token }
    },
    async verify(token) {
      const key = keys.get(token)
      return key !== undefined && isLive(key) ? key : undefined
    },
    async inspect(token) {
      const key = keys.get(token)
      return key && { key, state: isLive(key) ? 'live' : key.revokedAt ? 'revoked' : 'expired' }
    },
    find: async (tenant, id) => find(tenant, id)?.[1],
    async list(tenant, { agent, parent, after, limit }) {
      const all = [...keys.values()].filter(
        (key) =>
          key.tenant === tenant &&
          key.parent === parent &&
          (agent === undefined || key.agent === agent),
      )
      const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
      const items = all.slice(from, from + limit)
      return from + limit < all.length ? { items, next: items.at(-1)?.id } : { items }
    },
    async rotate(tenant, id, { by, home = tenant }) {
      const [token, key] = find(tenant, id) ?? []
      if (token === undefined || key === undefined || !isLive(key)) return undefined
      noteOwner(id, by, home)
      keys.delete(token)
      const { owner: _, ...facts } = key
      const rotated = { ...facts, ...ownerOf(id), rotatedAt: new Date().toISOString() }
      const fresh = toToken(id)
      keys.set(fresh, rotated)
      await tell(events, { tenant, by, type: 'key.rotated', data: { id } })
      return { key: rotated, token: fresh }
    },
    async revoke(tenant, id, by) {
      const key = find(tenant, id)?.[1]
      if (key === undefined || key.revokedAt !== undefined) return false
      for (const one of keys.values()) {
        if (one === key || one.parent === id) one.revokedAt ??= new Date().toISOString()
      }
      await tell(events, { tenant, by, type: 'key.revoked', data: { id } })
      return true
    },
    async revokeOf(tenant, member, by) {
      for (const key of keys.values()) {
        const isTheirs = key.owner?.tenant === tenant && key.owner.id === member
        if (!isTheirs || key.revokedAt !== undefined) continue
        key.revokedAt = new Date().toISOString()
        const data = { id: key.id, member }
        await tell(events, { tenant: key.tenant, by, type: 'key.revoked', data })
      }
    },
    // What is known of a key by its object is looked up again.
    forget(tenant) {
      for (const [token, key] of keys) if (key.tenant === tenant) keys.set(token, { ...key })
    },
  }
}

function isLive({ revokedAt, expiresAt }: ApiKey): boolean {
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
  return revokedAt === undefined && !isOver
}

async function tell(
  events: EventLog,
  { tenant, by, type, data }: { tenant: string; by?: Principal; type: EventType; data: JsonValue },
): Promise<void> {
  if (by === undefined) return
  await events.record([{ tenant, principal: by, events: [{ type, at: Date.now(), data }] }])
}
