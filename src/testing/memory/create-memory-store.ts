import { createId } from '../../core/ids.ts'
import type { ApiKey, KeyStore, SecretSummary, SecretVault } from '../../core/vault-ports.ts'
import type { ArtifactStore, Store } from '../../core/ports.ts'
import { createMemoryApprovals } from './memory-approvals.ts'
import { createMemoryCalls } from './memory-calls.ts'
import { createMemoryGroups } from './memory-groups.ts'
import { createMemoryEvents } from './memory-log.ts'
import { createMemoryRules, createMemoryTenants } from './memory-rules.ts'
import { createMemoryQueue } from './memory-queue.ts'
import { createMemorySessionFlags } from './memory-session-flags.ts'
import { createMemorySchedules } from './memory-schedules.ts'

/** A store in memory, for tests that are not about storing: opens in no time, forgets everything. */
export function createMemoryStore(): Store {
  const events = createMemoryEvents()
  const work = createMemoryQueue()
  const groups = createMemoryGroups(events)
  const calls = createMemoryCalls(events, work, groups)
  return {
    kind: 'pglite',
    events,
    work,
    calls,
    approvals: createMemoryApprovals(calls),
    groups: { ...groups, listMembers: calls.listMembers },
    artifacts: createMemoryArtifacts(),
    secrets: createMemoryVault(),
    keys: createMemoryKeys(),
    tenants: createMemoryTenants(),
    rules: createMemoryRules(events),
    sessionFlags: createMemorySessionFlags(events),
    // What is forgotten with its process need not be removed before.
    removeOld: async () => 0,
    schedules: createMemorySchedules(events),
    ping: async () => undefined,
    flush: async () => undefined,
    close: async () => undefined,
  }
}

function createMemoryArtifacts(): ArtifactStore {
  interface Artifact {
    tenant: string
    callId: string
    mediaType: string
    bytes: Uint8Array
  }
  const artifacts = new Map<string, Artifact>()
  const find = (tenant: string, callId: string, id: string | undefined) =>
    [...artifacts].findLast(
      ([key, one]) =>
        one.tenant === tenant && one.callId === callId && (id === undefined || key === id),
    )
  return {
    async put(tenant, callId, content) {
      const { mediaType } = content
      const bytes =
        'text' in content ? new TextEncoder().encode(content.text) : content.bytes.slice()
      const id = createId('art')
      artifacts.set(id, { tenant, callId, mediaType, bytes })
      return { id, bytes: bytes.length, mediaType }
    },
    async read(tenant, callId, { offset, limit, id: wanted }) {
      const found = find(tenant, callId, wanted)
      if (found === undefined) return undefined
      const [id, { mediaType, bytes }] = found
      const chunk = bytes.slice(offset, offset + limit)
      return { id, bytes: bytes.length, mediaType, offset, chunk }
    },
    async remove(tenant, callId, id) {
      if (find(tenant, callId, id) !== undefined) artifacts.delete(id)
    },
  }
}

function createMemoryVault(): SecretVault {
  const secrets = new Map<string, { tenant: string; value: string; summary: SecretSummary }>()
  const keyOf = (tenant: string, agent: string | undefined, name: string) =>
    JSON.stringify([tenant, agent ?? null, name])
  return {
    async write({ tenant, agent }, name, value) {
      const key = keyOf(tenant, agent, name)
      const version = (secrets.get(key)?.summary.version ?? 0) + 1
      const summary = {
        name,
        ...(agent !== undefined && { agent }),
        version,
        updatedAt: new Date().toISOString(),
      }
      secrets.set(key, { tenant, value, summary })
      return summary
    },
    delete: async ({ tenant, agent }, name) => secrets.delete(keyOf(tenant, agent, name)),
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
    rotate: async () => secrets.size,
  }
}

function createMemoryKeys(): KeyStore {
  const keys = new Map<string, ApiKey>()
  return {
    async create({ expiresAt, ...facts }) {
      const id = createId('key')
      const key: ApiKey = { id, ...facts, createdAt: new Date().toISOString() }
      if (expiresAt !== undefined) key.expiresAt = expiresAt.toISOString()
      const token = `crib_${id}_${crypto.randomUUID()}`
      keys.set(token, key)
      return { key, token }
    },
    async verify(token) {
      const key = keys.get(token)
      const isOver = key?.expiresAt !== undefined && Date.parse(key.expiresAt) <= Date.now()
      return key?.revokedAt === undefined && !isOver ? key : undefined
    },
    list: async (tenant) => [...keys.values()].filter((key) => key.tenant === tenant),
    async revoke(tenant, id) {
      const key = [...keys.values()].find(
        (candidate) => candidate.tenant === tenant && candidate.id === id,
      )
      if (key === undefined || key.revokedAt !== undefined) return false
      key.revokedAt = new Date().toISOString()
      return true
    },
  }
}
