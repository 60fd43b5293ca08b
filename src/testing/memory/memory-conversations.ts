import type { Principal } from '../../core/call.ts'
import { type Conversation, noUsage } from '../../core/conversations/conversation.ts'
import type { StoredMessage, Turn } from '../../core/conversations/conversation.ts'
import type {
  Compaction,
  ConversationStore,
  StoredFile,
  TurnLease,
  TurnStep,
} from '../../core/conversations/conversation-store.ts'
import type { ToldEvent } from '../../core/events/event.ts'
import { ToolError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json.ts'
import type { EventLog } from '../../core/events/event-log.ts'

type Changing<T> = { -readonly [Key in keyof T]: T[Key] }
interface Held {
  conversation: Changing<Conversation>
  messages: (StoredMessage & { isSetAside?: boolean })[]
  state: Record<string, JsonValue>
  compaction?: Compaction
  files: StoredFile[]
}
type HeldTurn = Changing<Turn> & { leaseMs?: number; reportMs?: number; isReported?: boolean }

/** Conversations in memory. */
export function createMemoryConversations(events: Pick<EventLog, 'record'>): ConversationStore {
  const held = new Map<string, Held>()
  const turns = new Map<string, HeldTurn>()
  const chunks = new Map<string, JsonValue[]>()
  const own = (tenant: string, id: string) => {
    const found = held.get(id)
    return found?.conversation.tenant === tenant ? found : undefined
  }
  const leased = ({ tenant, turnId, attempt }: TurnLease) => {
    const turn = turns.get(turnId)
    const isHeld = turn?.tenant === tenant && turn.attempt === attempt && !turn.settledAt
    return isHeld ? turn : undefined
  }
  const iso = () => new Date().toISOString()
  const tell = (tenant: string, told: ToldEvent, more: { sessionId?: string; agent?: string }) =>
    events.record([{ tenant, ...more, principal: told.principal, events: [told.event] }])
  const take = (turn: HeldTurn, leaseMs: number): Turn => {
    turn.attempt += 1
    turn.leaseMs = Date.now() + leaseMs
    return structuredClone(turn)
  }
  const apply = (turn: HeldTurn, { step, message, usage, model, wireNames, pass }: TurnStep) => {
    Object.assign(turn, { step, usage, ...(model !== undefined && { model }) })
    delete turn.waiting
    if (pass !== undefined) turn.waiting = structuredClone(pass)
    const talk = held.get(turn.conversationId)
    if (talk === undefined || message.parts.length === 0) return
    const known = talk.messages.find(({ id, isSetAside }) => id === message.id && !isSetAside)
    const copy = structuredClone(message)
    if (known !== undefined) Object.assign(known, copy)
    else push(talk, { ...copy, turnId: turn.id })
    talk.conversation.wireNames = { ...talk.conversation.wireNames, ...wireNames }
  }
  const setAside = (talk: Held, from: number) => {
    for (const one of talk.messages) if (one.position >= from) one.isSetAside = true
    if ((talk.compaction?.upTo ?? 0) >= from) delete talk.compaction
  }
  const push = (talk: Held, message: Omit<StoredMessage, 'position' | 'createdAt'>) => {
    talk.conversation.messages += 1
    const position = talk.conversation.messages
    talk.messages.push({ ...message, position, createdAt: iso() })
  }
  return {
    async open(draft) {
      const known = [...held.values()].find(
        ({ conversation: { tenant, agent, principal, clientId, id } }) =>
          tenant === draft.tenant &&
          (id === draft.id ||
            (clientId !== undefined &&
              clientId === draft.clientId &&
              agent === draft.agent &&
              isSame(principal, draft.principal))),
      )
      if (known !== undefined) return structuredClone(known.conversation)
      const at = { createdAt: iso(), updatedAt: iso() }
      const conversation: Conversation = { ...draft, wireNames: {}, messages: 0, ...at }
      if (draft.clientId === undefined) delete (conversation as Changing<Conversation>).clientId
      held.set(draft.id, { conversation, messages: [], state: {}, files: [] })
      return structuredClone(conversation)
    },
    async find(tenant, id) {
      return structuredClone(own(tenant, id)?.conversation)
    },
    async findByClient(tenant, of) {
      const found = [...held.values()].find(
        ({ conversation: one }) =>
          one.tenant === tenant &&
          one.agent === of.agent &&
          one.clientId === of.clientId &&
          isSame(one.principal, of.principal),
      )
      return structuredClone(found?.conversation)
    },
    async list(tenant, { principal, agent, kinds, after, limit }) {
      const all = [...held.values()]
        .map(({ conversation }) => conversation)
        .filter((one) => one.tenant === tenant && (after === undefined || one.id < after))
        .filter((one) => principal === undefined || isSame(one.principal, principal))
        .filter((one) => agent === undefined || one.agent === agent)
        .filter((one) => kinds === undefined || kinds.includes(one.kind))
      return toPage(all, limit)
    },
    async remove(tenant, id, told) {
      const talk = own(tenant, id)
      if (talk === undefined || talk.conversation.turnId !== undefined) return false
      held.delete(id)
      for (const turn of turns.values()) if (turn.conversationId === id) turns.delete(turn.id)
      await tell(tenant, told, { sessionId: id })
      return true
    },
    async listMessages(tenant, id, { after = 0, limit }) {
      const all = own(tenant, id)?.messages ?? []
      const some = all.filter(({ position, isSetAside }) => position > after && !isSetAside)
      return structuredClone(some.slice(0, limit))
    },
    async findMessage(tenant, id, messageId) {
      const all = own(tenant, id)?.messages ?? []
      return structuredClone(all.find((one) => one.id === messageId && !one.isSetAside))
    },
    findCompaction: async (tenant, id) => own(tenant, id)?.compaction,
    async saveCompaction(tenant, id, compaction) {
      const talk = own(tenant, id)
      if (talk !== undefined) talk.compaction = compaction
    },
    async beginTurn({ turn, message, files = [], replaceFrom, title, told }) {
      const talk = own(turn.tenant, turn.conversationId)
      if (talk === undefined) return { kind: 'gone' }
      const { conversation, messages } = talk
      const before = replaceFrom ?? Infinity
      const isKnown = (one: (typeof messages)[number]) =>
        one.id === message?.id && !one.isSetAside && one.position < before
      if (messages.some(isKnown)) {
        return { kind: 'repeated' }
      }
      const busy = conversation.turnId === undefined ? undefined : turns.get(conversation.turnId)
      if (busy !== undefined) return { kind: 'busy', turn: structuredClone(busy) }
      setAside(talk, before)
      talk.files.push(...structuredClone(files))
      turns.set(turn.id, {
        ...structuredClone(turn),
        status: 'queued',
        step: 0,
        attempt: 0,
        usage: noUsage,
        cancelRequested: false,
        createdAt: iso(),
        leaseMs: 0,
      })
      if (message !== undefined) push(talk, { ...structuredClone(message), turnId: turn.id })
      conversation.turnId = turn.id
      conversation.updatedAt = iso()
      if (title !== undefined) conversation.title ??= title
      await tell(turn.tenant, told, { sessionId: conversation.id, agent: turn.agent })
      return { kind: 'begun' }
    },
    async findTurn(tenant, id) {
      const turn = turns.get(id)
      return turn?.tenant === tenant ? toTurn(turn) : undefined
    },
    async listTurns(tenant, { principal, agent, status, conversationId, after, limit }) {
      const all = [...turns.values()]
        .filter((one) => one.tenant === tenant && (after === undefined || one.id < after))
        .filter((one) => principal === undefined || isSame(one.caller.principal, principal))
        .filter((one) => agent === undefined || one.agent === agent)
        .filter((one) => status === undefined || one.status === status)
        .filter((one) => conversationId === undefined || one.conversationId === conversationId)
      return toPage(all.map(toTurn), limit)
    },
    async listChildren(tenant, callId) {
      const all = [...turns.values()].filter(
        (one) => one.tenant === tenant && one.parentCallId === callId,
      )
      return all.sort((one, other) => one.position - other.position).map(toTurn)
    },
    async claimTurns({ leaseMs, limit, turnId, except = [] }) {
      const due = [...turns.values()].filter(
        (one) =>
          !one.settledAt &&
          one.leaseMs !== undefined &&
          one.leaseMs <= Date.now() &&
          !except.includes(one.tenant) &&
          (turnId === undefined || one.id === turnId),
      )
      return due.slice(0, limit).map((one) => {
        if (one.status === 'queued') one.status = 'running'
        return toTurn(take(one, leaseMs))
      })
    },
    async resumeTurn(tenant, turnId, { groupId, leaseMs }) {
      const turn = turns.get(turnId)
      if (turn?.tenant !== tenant || turn.status !== 'waiting') return undefined
      if (turn.waiting?.groupId !== groupId) return undefined
      turn.status = 'running'
      return toTurn(take(turn, leaseMs))
    },
    async keepTurn(lease, leaseMs) {
      const turn = leased(lease)
      if (turn === undefined) return undefined
      turn.leaseMs = Date.now() + leaseMs
      return { cancelRequested: turn.cancelRequested }
    },
    async saveStep(lease, step) {
      const turn = leased(lease)
      if (turn === undefined) return false
      apply(turn, step)
      turn.status = 'running'
      return true
    },
    async waitTurn(lease, step, waiting) {
      const turn = leased(lease)
      if (turn === undefined) return false
      apply(turn, step)
      Object.assign(turn, { status: 'waiting', waiting: structuredClone(waiting) })
      const { tenant, conversationId: sessionId, agent } = turn
      if (step.told !== undefined) await tell(tenant, step.told, { sessionId, agent })
      return true
    },
    async releaseTurn(lease) {
      const turn = leased(lease)
      if (turn?.status !== 'waiting') return false
      delete turn.leaseMs
      return true
    },
    async yieldTurn(lease, usage) {
      const turn = leased(lease)
      if (turn !== undefined) Object.assign(turn, { leaseMs: 0, usage })
    },
    async endTurn(lease, step, { status, error, told }) {
      const turn = leased(lease)
      if (turn === undefined) return false
      apply(turn, step)
      Object.assign(turn, { status, settledAt: iso(), ...(error !== undefined && { error }) })
      delete turn.leaseMs
      const talk = held.get(turn.conversationId)
      if (talk?.conversation.turnId === turn.id) {
        delete talk.conversation.turnId
        talk.conversation.updatedAt = iso()
      }
      await tell(turn.tenant, told, { sessionId: turn.conversationId, agent: turn.agent })
      return true
    },
    async requestCancel(tenant, turnId) {
      const turn = turns.get(turnId)
      if (turn?.tenant === tenant && !turn.settledAt) turn.cancelRequested = true
      await events.record([])
    },
    async claimStopped({ leaseMs, limit }) {
      const due = [...turns.values()].filter(
        (one) =>
          one.status === 'waiting' &&
          one.leaseMs === undefined &&
          (one.cancelRequested || (one.bounds.deadlineAt ?? Infinity) < Date.now()),
      )
      return due.slice(0, limit).map((one) => {
        one.status = 'running'
        return toTurn(take(one, leaseMs))
      })
    },
    async claimReports({ leaseMs, limit, callId }) {
      const due = [...turns.values()].filter(
        (one) =>
          one.settledAt !== undefined &&
          one.parentCallId !== undefined &&
          !one.isReported &&
          (one.reportMs ?? 0) <= Date.now() &&
          (callId === undefined || one.parentCallId === callId),
      )
      for (const one of due) one.reportMs = Date.now() + leaseMs
      return due.slice(0, limit).map(toTurn)
    },
    async markReported(tenant, callId) {
      for (const one of turns.values()) {
        if (one.tenant === tenant && one.parentCallId === callId) one.isReported = true
      }
    },
    async appendChunks(lease, from, added) {
      const turn = turns.get(lease.turnId)
      const known = chunks.get(lease.turnId) ?? []
      if (turn?.attempt !== lease.attempt || known.length !== from) return added.length === 0
      chunks.set(lease.turnId, [...known, ...structuredClone(added)])
      await events.record([])
      return true
    },
    async readChunks(tenant, turnId, from) {
      return turns.get(turnId)?.tenant === tenant ? (chunks.get(turnId) ?? []).slice(from) : []
    },
    async removeChunks(beforeMs) {
      const old = [...chunks.keys()].filter(
        (id) => Date.parse(turns.get(id)?.settledAt ?? '') < beforeMs,
      )
      for (const id of old) chunks.delete(id)
      return old.length
    },
    async readState(tenant, id) {
      return structuredClone(own(tenant, id)?.state ?? {})
    },
    async patchState(tenant, id, { set, remove, seen, maxBytes }) {
      const talk = own(tenant, id)
      if (talk === undefined) return []
      const next = { ...talk.state, ...set }
      for (const key of remove) delete next[key]
      if (JSON.stringify(next).length > maxBytes) throw new ToolError('quota_exceeded', 'Too much')
      const touched = [...Object.keys(set), ...remove]
      const over = touched.filter((key) => JSON.stringify(talk.state[key]) !== seen[key])
      talk.state = next
      return over
    },
    async readFile(tenant, conversationId, id) {
      return own(tenant, conversationId)?.files.find((file) => file.id === id)
    },
    async listFiles(tenant, conversationId) {
      const files = own(tenant, conversationId)?.files ?? []
      return files.map(({ bytes, ...file }) => ({ ...file, size: bytes.length }))
    },
  }
}

function isSame(one: Principal, other: Principal): boolean {
  return one.kind === other.kind && one.id === other.id
}

function toTurn({ leaseMs: _l, reportMs: _r, isReported: _i, ...turn }: HeldTurn): Turn {
  return structuredClone(turn)
}

function toPage<T extends { id: string }>(all: readonly T[], limit: number) {
  const sorted = all.toSorted((one, other) => (one.id < other.id ? 1 : -1))
  const items = structuredClone(sorted.slice(0, limit))
  return sorted.length > limit ? { items, next: items.at(-1)?.id } : { items }
}
