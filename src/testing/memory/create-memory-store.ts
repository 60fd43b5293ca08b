import { createId } from '../../core/ids.ts'
import type { ArtifactStore } from '../../core/artifact-store.ts'
import type { JsonValue } from '../../core/json.ts'
import type { Store } from '../../core/ports.ts'
import type { InputSeal } from '../../core/secrets/input-seal.ts'
import { createMemoryAudit } from './memory-audit.ts'
import { createMemoryApprovals } from './memory-approvals.ts'
import { createMemoryCalls } from './memory-calls.ts'
import { createMemoryGateway } from './memory-gateway.ts'
import { createMemoryGroups } from './memory-groups.ts'
import { createMemoryLimits } from './memory-limits.ts'
import { createMemoryEvents } from './memory-log.ts'
import { createMemoryCatalogue, createMemoryRules } from './memory-rules.ts'
import { createMemoryMembers } from './memory-members.ts'
import { createMemoryTenants } from './memory-tenants.ts'
import { createMemoryQueue } from './memory-queue.ts'
import { createMemoryFoundTools } from './memory-found-tools.ts'
import { createMemorySessionFlags } from './memory-session-flags.ts'
import { createMemorySchedules } from './memory-schedules.ts'
import { createMemorySignIn } from './memory-sign-in.ts'
import { createMemoryUploads } from './memory-uploads.ts'
import { createMemoryUsage } from './memory-usage.ts'
import { createMemoryKeys, createMemoryVault } from './memory-vault.ts'
import { createMemoryConversations } from './memory-conversations.ts'
import { createMemorySkills } from './memory-skills.ts'
import { createMemoryConnections } from './memory-connections.ts'

/** A store in memory, for tests that are not about storing: opens in no time, forgets everything. */
export function createMemoryStore(): Store {
  const events = createMemoryEvents()
  const work = createMemoryQueue()
  const groups = createMemoryGroups(events)
  const calls = createMemoryCalls(events, work, groups)
  const rules = createMemoryRules(events)
  const keys = createMemoryKeys(events)
  const members = createMemoryMembers(events, keys)
  const tenants = createMemoryTenants(events, rules.note)
  const schedules = createMemorySchedules(events)
  return {
    kind: 'pglite',
    now: () => Date.now(),
    events,
    work,
    calls,
    approvals: createMemoryApprovals(calls),
    groups: { ...groups, listMembers: calls.listMembers },
    conversations: createMemoryConversations(events),
    artifacts: createMemoryArtifacts(),
    uploads: createMemoryUploads(events, { calls, schedules }),
    secrets: createMemoryVault(events, rules),
    inputs: memorySeal,
    keys,
    connections: createMemoryConnections(events),
    tenants,
    rules,
    members,
    catalogue: createMemoryCatalogue(),
    skills: createMemorySkills(rules),
    sessionFlags: createMemorySessionFlags(events),
    foundTools: createMemoryFoundTools(),
    gateway: createMemoryGateway(),
    // What is forgotten with its process need not be removed before.
    removeOld: async () => 0,
    schedules,
    signIn: createMemorySignIn({ events, members, tenants }),
    usage: createMemoryUsage(events),
    audit: createMemoryAudit(events, calls),
    limits: createMemoryLimits(events),
    ping: async () => undefined,
    flush: async () => undefined,
    close: async () => undefined,
  }
}

/** Nothing of this store is written anywhere. */
const memorySeal: InputSeal = {
  seal: (id, input) => JSON.stringify({ id, input }),
  open(sealed, wanted) {
    const { id, input } = JSON.parse(sealed) as { id: string; input: JsonValue }
    if (id !== wanted) throw new Error(`This was sealed for ${id}`)
    return input
  },
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
