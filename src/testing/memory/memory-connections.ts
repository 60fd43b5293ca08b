import type { ToldEvent } from '../../core/events/event.ts'
import type {
  ConnectionKey,
  ConnectionStore,
  Credential,
  CredentialKind,
  PendingSignIn,
} from '../../core/gateway/connection-store.ts'
import type { EventLog } from '../../core/events/event-log.ts'

interface Entry extends ConnectionKey, Credential {
  kind: CredentialKind
  createdAt: number
  leasedUntil: number
}

/** Credentials for MCP servers in memory. */
export function createMemoryConnections(events: EventLog): ConnectionStore {
  let entries: Entry[] = []
  const pending = new Map<string, PendingSignIn>()
  const isOf = (key: ConnectionKey) => (one: ConnectionKey) =>
    one.tenant === key.tenant && one.server === key.server && one.subject === key.subject
  const fits = (kind: CredentialKind | undefined, issuer: string | undefined) => (one: Entry) =>
    (kind ?? one.kind) === one.kind && (issuer ?? one.issuer) === one.issuer
  const tell = async (tenant: string, told: ToldEvent | undefined) => {
    if (told === undefined) return
    await events.record([{ tenant, principal: told.principal, events: [told.event] }])
  }
  const live = (state: string) => {
    const found = pending.get(state)
    return found !== undefined && found.expiresAt > Date.now() ? structuredClone(found) : undefined
  }
  return {
    async find(key, { kind, issuer }) {
      const found = entries.filter(isOf(key)).filter(fits(kind, issuer)).at(-1)
      if (found === undefined) return undefined
      const { value, version, updatedAt } = found
      return { issuer: found.issuer, value: structuredClone(value), version, updatedAt }
    },
    async put(key, { kind, issuer, value, ifVersion, told }) {
      const before = entries.filter(isOf(key)).find(fits(kind, issuer))
      if (ifVersion !== undefined && (before?.version ?? 0) !== ifVersion) return undefined
      const updatedAt = Date.now()
      const version = (before?.version ?? 0) + 1
      const createdAt = before?.createdAt ?? updatedAt
      // What was written last comes last.
      const copy = structuredClone(value)
      const facts = { kind, issuer, value: copy, version, updatedAt, createdAt, leasedUntil: 0 }
      const { tenant, server, subject } = key
      entries = [...entries.filter((one) => one !== before), { tenant, server, subject, ...facts }]
      await tell(tenant, told)
      return version
    },
    async lease(key, kind, { issuer, version, ms }) {
      const found = entries.filter(isOf(key)).find(fits(kind, issuer))
      if (found?.version !== version || found.leasedUntil > Date.now()) return false
      found.leasedUntil = Date.now() + ms
      return true
    },
    async release(key, kind, { issuer, version }) {
      const found = entries.filter(isOf(key)).find(fits(kind, issuer))
      if (found?.version === version) found.leasedUntil = 0
    },
    async remove(key, { kind, issuer, told }) {
      const gone = new Set(entries.filter(isOf(key)).filter(fits(kind, issuer)))
      entries = entries.filter((one) => !gone.has(one))
      if (gone.size > 0) await tell(key.tenant, told)
      return gone.size > 0
    },
    list: async (tenant, server) =>
      entries
        .filter((one) => one.tenant === tenant && one.server === server && one.kind === 'tokens')
        .map(({ subject, issuer, createdAt, updatedAt }) => ({
          subject,
          issuer,
          connectedAt: createdAt,
          updatedAt,
        }))
        .toSorted((one, other) => (one.subject < other.subject ? -1 : 1)),
    begin: async (state, started) => void pending.set(state, structuredClone(started)),
    peek: async (state) => live(state),
    async take(state) {
      const found = live(state)
      pending.delete(state)
      return found
    },
    async sweep() {
      const over = [...pending].filter(([, { expiresAt }]) => expiresAt <= Date.now())
      for (const [state] of over) pending.delete(state)
      return over.length
    },
  }
}
