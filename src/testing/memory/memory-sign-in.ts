import type { Principal } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { EventType } from '../../core/events/event.ts'
import { createId } from '../../core/ids.ts'
import type { JsonValue } from '../../core/json.ts'
import { firstOwnerId } from '../../core/people/member.ts'
import type { Member } from '../../core/people/member.ts'
import type { Store } from '../../core/ports.ts'
import { countAttempt, tooManyTries } from '../../core/sign-in/attempt-rules.ts'
import type { AttemptState } from '../../core/sign-in/attempt-rules.ts'
import { linkIsOver } from '../../core/sign-in/link-is-over.ts'
import { sessionIdleMs } from '../../core/sign-in/session.ts'
import type { Session } from '../../core/sign-in/session.ts'
import type {
  Entry,
  OneTime,
  OneTimeTokens,
  SessionStore,
  SignInAttempts,
  SignInPeople,
  SignInStore,
} from '../../core/sign-in/sign-in-store.ts'

type Parts = Pick<Store, 'events' | 'members' | 'tenants'>

interface KeptToken {
  one: OneTime
  isUsed: boolean
}

/** Signing in, in memory. */
export function createMemorySignIn(parts: Parts): SignInStore {
  const tokens = new Map<string, KeptToken>()
  const sessions = new Map<string, { tenant: string; session: Session }>()
  return {
    sessions: createMemorySessions(parts, sessions, (kind, token) => takeFrom(tokens, kind, token)),
    tokens: createMemoryTokens(parts, tokens),
    attempts: createMemoryAttempts(),
    people: createMemoryPeople(parts, sessions),
    sweep: async () => 0,
  }
}

const newToken = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')

function takeFrom(
  tokens: Map<string, KeptToken>,
  kind: OneTime['kind'],
  token: string,
): OneTime | undefined {
  const kept = findIn(tokens, kind, token)
  if (kept !== undefined) kept.isUsed = true
  return kept?.one
}

function findIn(tokens: Map<string, KeptToken>, kind: OneTime['kind'], token: string) {
  const kept = tokens.get(token)
  const isGood = kept !== undefined && !kept.isUsed && Date.parse(kept.one.expiresAt) > Date.now()
  return isGood && kept.one.kind === kind ? kept : undefined
}

async function record(
  { events }: Parts,
  tenant: string,
  { principal, type, data }: { principal: Principal; type: EventType; data: JsonValue },
): Promise<void> {
  await events.record([{ tenant, principal, events: [{ type, at: Date.now(), data }] }])
}

function createMemorySessions(
  parts: Parts,
  sessions: Map<string, { tenant: string; session: Session }>,
  take: (kind: OneTime['kind'], token: string) => OneTime | undefined,
): SessionStore {
  const { members, tenants } = parts
  async function memberOf({ tenant, who, spends }: Entry): Promise<Member> {
    if ((await tenants.find(tenant))?.status === 'suspended')
      throw new ToolError('tenant_suspended', 'The tenant is suspended')
    if (spends !== undefined && take(spends.kind, spends.token)?.tenant !== tenant)
      throw linkIsOver()
    if ('id' in who) {
      const known = await members.find(tenant, who.id)
      if (known?.status === 'active') return known
      throw new ToolError('sign_in_failed', 'This member can not sign in')
    }
    const made = await members.create(tenant, who.joins, { event: 'member.joined' })
    const by = { kind: 'user', id: made.id } as const
    if (who.passwordHash !== undefined)
      await members.setPasswordHash(tenant, made.id, { hash: who.passwordHash, by })
    return made
  }
  async function end(tenant: string, principal: Principal, fits: (session: Session) => boolean) {
    const gone = [...sessions].filter(([, one]) => one.tenant === tenant && fits(one.session))
    for (const [token] of gone) sessions.delete(token)
    const [first] = gone
    if (first !== undefined) {
      const data = { member: first[1].session.member, sessions: gone.length }
      await record(parts, tenant, { principal, type: 'member.signed_out', data })
    }
    return gone.length
  }
  return {
    async open(entry) {
      const member = await memberOf(entry)
      const { method, via, visitor } = entry
      if (visitor.token !== undefined) sessions.delete(visitor.token)
      const token = newToken()
      const opened = Date.now()
      const now = new Date(opened).toISOString()
      const session: Session = {
        id: createId('ses'),
        member: member.id,
        method,
        ...(visitor.userAgent !== undefined && { userAgent: visitor.userAgent }),
        ...(visitor.address !== undefined && { address: visitor.address }),
        createdAt: now,
        lastSeenAt: now,
        expiresAt: new Date(opened + sessionIdleMs).toISOString(),
      }
      sessions.set(token, { tenant: entry.tenant, session })
      const { address } = visitor
      const data = { session: session.id, method, ...(via && { via }), ...(address && { address }) }
      const principal = { kind: 'user', id: member.id } as const
      await record(parts, entry.tenant, { principal, type: 'member.signed_in', data })
      return { token, session, member }
    },
    async verify(token) {
      const kept = sessions.get(token)
      if (kept === undefined) return undefined
      const member = await members.find(kept.tenant, kept.session.member)
      return member?.status === 'active' ? { session: kept.session, member } : undefined
    },
    list: async (tenant, member) =>
      [...sessions.values()]
        .filter((one) => one.tenant === tenant && one.session.member === member)
        .map(({ session }) => session)
        .toReversed(),
    findMember: async (tenant, id) =>
      [...sessions.values()].find((one) => one.tenant === tenant && one.session.id === id)?.session
        .member,
    end: async (tenant, id, { principal, member }) =>
      (await end(
        tenant,
        principal,
        (session) => session.id === id && (member === undefined || session.member === member),
      )) > 0,
    endAll: (tenant, member, { principal, except }) =>
      end(tenant, principal, (session) => session.member === member && session.id !== except),
    async endByToken(token) {
      const kept = sessions.get(token)
      if (kept === undefined) return
      const principal = { kind: 'user', id: kept.session.member } as const
      await end(kept.tenant, principal, ({ id }) => id === kept.session.id)
    },
  }
}

function createMemoryTokens(parts: Parts, tokens: Map<string, KeptToken>): OneTimeTokens {
  return {
    async create({ kind, tenant, facts, lifetimeMs, told }) {
      const token = newToken()
      const now = Date.now()
      const one: OneTime = {
        id: createId('tok'),
        kind,
        tenant,
        facts,
        createdAt: new Date(now).toISOString(),
        expiresAt: new Date(now + lifetimeMs).toISOString(),
      }
      tokens.set(token, { one, isUsed: false })
      const event = told?.(one)
      if (event !== undefined) {
        await record(parts, tenant, { principal: event.principal, ...event.event })
      }
      return { ...one, token }
    },
    find: async (kind, token) => findIn(tokens, kind, token)?.one,
    take: async (kind, token) => takeFrom(tokens, kind, token),
    list: async (tenant, kind) =>
      [...tokens.values()]
        .filter(({ one, isUsed }) => !isUsed && one.tenant === tenant && one.kind === kind)
        .map(({ one }) => one)
        .toReversed(),
    async revoke(tenant, { kind, id }, { principal, event }) {
      const found = [...tokens].find(([, { one }]) => one.id === id && one.tenant === tenant)
      if (found === undefined || found[1].isUsed || found[1].one.kind !== kind) return false
      tokens.delete(found[0])
      await record(parts, tenant, { principal, ...event })
      return true
    },
  }
}

function createMemoryAttempts(): SignInAttempts {
  const states = new Map<string, AttemptState>()
  return {
    async begin(limits) {
      const counted = limits.map(({ subject, free }) => {
        const next = countAttempt(states.get(subject), free, Date.now())
        if ('retryAfterMs' in next) throw tooManyTries(next.retryAfterMs)
        return [subject, next.state] as const
      })
      for (const [subject, state] of counted) states.set(subject, state)
    },
    async succeed({ account, address = '' }) {
      states.delete(account)
      const state = states.get(address)
      if (state === undefined) return
      const failures = Math.max(0, state.failures - 1)
      states.set(address, { ...state, failures, blockedUntilMs: 0 })
    },
  }
}

function createMemoryPeople(
  { members, tenants }: Parts,
  sessions: Map<string, { tenant: string; session: Session }>,
): SignInPeople {
  return {
    async findOwner(tenant) {
      const { items } = await members.list(tenant, { limit: 1000 })
      const owners = items.filter(({ role, status }) => role === 'owner' && status === 'active')
      return owners.find(({ id }) => id === firstOwnerId) ?? owners[0]
    },
    async setPassword(tenant, id, { hash, keep, by }) {
      if (!(await members.setPasswordHash(tenant, id, { hash, by })))
        throw new ToolError('not_found', 'There is no such member')
      for (const [token, { session }] of sessions) {
        if (session.member === id && session.id !== keep) sessions.delete(token)
      }
    },
    async rehash(tenant, id, { to }) {
      await members.setPasswordHash(tenant, id, { hash: to, by: { kind: 'user', id } })
    },
    async havePasswords() {
      const { items } = await tenants.list({ limit: 1000 })
      for (const { slug } of items) {
        for (const { id } of (await members.list(slug, { limit: 1000 })).items) {
          const found = await members.findWithPassword(slug, { id })
          if (found?.passwordHash !== undefined) return true
        }
      }
      return false
    },
  }
}
