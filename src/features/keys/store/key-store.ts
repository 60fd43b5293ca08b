import { createHmac, hash as hashOnce, timingSafeEqual } from 'node:crypto'
import { type ApiKeyParts, parseApiKey } from '../../../core/keys/api-key-token.ts'
import type { ApiKey, KeyStore, TokenState } from '../../../core/vault-ports.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { createKey, pageOfKeys, revokeKey, rotateKey } from './key-changes.ts'
import { findKey, type FoundKey, toApiKey, toFoundKey } from './key-rows.ts'
import { createKeyUse } from './key-use.ts'
import { admitVisitor } from './visitor-keys.ts'
import { proveVisitorToken, signVisitorToken } from './visitor-token.ts'

/**
 * A verified token is good for so long without asking again. It is also how late a key revoked on
 * another node stops working on this one, whatever happens to notifications.
 */
const rememberMs = 500
const rememberAtMost = 10_000

export interface ClosableKeyStore extends KeyStore {
  flush(): Promise<void>
  close(): Promise<void>
}

/** A key that a token proved, and until when, where it was by the secret before the last rotation. */
interface Proven {
  key: ApiKey
  untilMs: number
}

/** API keys. Only an HMAC of the secret is stored; its pepper is sealed under the master key. */
export function createKeyStore(
  engine: Engine,
  pepper: Uint8Array,
  onWarning: (message: string) => void,
): ClosableKeyStore {
  const use = createKeyUse(engine, onWarning)
  const hash = (parts: ApiKeyParts) =>
    createHmac('sha256', pepper).update(`${parts.id}_${parts.secret}`).digest()
  const find = async ({ id }: ApiKeyParts) => {
    const [row] = await engine.run(findKey, [id])
    return row && toFoundKey(row)
  }
  const proveToken = (parts: ApiKeyParts, found: FoundKey | undefined) =>
    found?.key.parent === undefined ? prove(hash(parts), found) : proveVisitor(parts, found, pepper)
  const memory = createMemory(async (parts) => proveToken(parts, await find(parts)))
  // Another node has changed something that bears on who may do what: perhaps a key.
  const unwatch = engine.watch(memory.clear, 'rules')
  async function change<T>(work: Parameters<typeof changeIn<T>>[1]): Promise<T> {
    const result = await changeIn(engine, work)
    memory.clear()
    engine.announce('rules')
    return result
  }
  return {
    create: (request) => changeIn(engine, (transaction) => createKey(transaction, request, hash)),
    async issueToken(request) {
      const { key, hash: keyHash } = await change((transaction) =>
        admitVisitor(transaction, { ...request, now: engine.now() }),
      )
      const { untilMs } = request
      return { key, token: signVisitorToken({ id: key.id, untilMs }, { pepper, keyHash }) }
    },
    async verify(token) {
      const proven = memory.find(token) ?? (await guarded(() => memory.recall(token)))
      if (proven === undefined || isOver(proven, engine.now())) return undefined
      use.note(proven.key.id)
      return proven.key
    },
    async inspect(token) {
      const parts = parseApiKey(token)
      const found = parts && (await guarded(() => find(parts)))
      if (parts === undefined || found === undefined) return undefined
      const proven = proveToken(parts, found)
      return { key: found.key, state: stateOf(found.key, proven?.untilMs ?? 0, engine.now()) }
    },
    find: (tenant, id) => guarded(() => findById(engine, tenant, id)),
    list: (tenant, query) => guarded(() => pageOfKeys(engine, tenant, query)),
    rotate: (tenant, id, rotation) =>
      change((transaction) =>
        rotateKey(transaction, { tenant, id, now: engine.now(), ...rotation }, hash),
      ),
    revoke: (tenant, id, by) => change((transaction) => revokeKey(transaction, { tenant, id, by })),
    forget: memory.forget,
    flush: () => use.flush(),
    close() {
      unwatch()
      return use.close()
    },
  }
}

/** Recently looked up tokens. One forgotten during its lookup stays forgotten. */
function createMemory(look: (parts: ApiKeyParts) => Promise<Proven | undefined>): {
  /** At once, of a token that was found. */
  find(token: string): Proven | undefined
  recall(token: string): Promise<Proven | undefined>
  forget(tenant: string): void
  clear(): void
} {
  interface Remembered {
    /** By a clock that nobody can set: put back, it would keep what is old. */
    until: number
    proven: Promise<Proven | undefined>
    found?: Proven
  }
  const remembered = new Map<string, Remembered>()
  const nameOf = (token: string) => hashOnce('sha256', token, 'base64')
  const fresh = (name: string) => {
    const known = remembered.get(name)
    return known !== undefined && known.until > performance.now() ? known : undefined
  }
  return {
    find: (token) => fresh(nameOf(token))?.found,
    async recall(token) {
      const parts = parseApiKey(token)
      if (parts === undefined) return undefined
      const name = nameOf(token)
      const known = fresh(name)
      if (known !== undefined) return known.proven
      const proven = look(parts)
      const entry: Remembered = { until: performance.now() + rememberMs, proven }
      remembered.delete(name)
      remembered.set(name, entry)
      const drop = () => remembered.get(name) === entry && remembered.delete(name)
      // Only what was found is kept: guesses must not push real keys out.
      proven.then((found) => (found === undefined ? drop() : (entry.found = found)), drop)
      if (remembered.size > rememberAtMost) remembered.delete(remembered.keys().next().value ?? '')
      return proven
    },
    forget(tenant) {
      for (const [name, entry] of remembered) {
        if (entry.found === undefined || entry.found.key.tenant === tenant) remembered.delete(name)
      }
    },
    clear: () => remembered.clear(),
  }
}

/** With no such key the comparisons run all the same, against nothing that can match. */
function prove(given: Uint8Array, found: FoundKey | undefined): Proven | undefined {
  const nothing = Buffer.alloc(32)
  const isCurrent = timingSafeEqual(given, found?.hash ?? nothing)
  const isPrevious = timingSafeEqual(given, found?.previousHash ?? nothing)
  if (found === undefined || !(isCurrent || isPrevious)) return undefined
  return { key: found.key, untilMs: isCurrent ? Infinity : found.previousUntilMs }
}

function proveVisitor(
  parts: ApiKeyParts,
  { key, hash }: FoundKey,
  pepper: Uint8Array,
): Proven | undefined {
  const untilMs = proveVisitorToken(parts, { pepper, keyHash: hash })
  return untilMs === undefined ? undefined : { key, untilMs }
}

function isOver({ key, untilMs }: Proven, now: number): boolean {
  return stateOf(key, untilMs, now) !== 'live'
}

/** `untilMs` is how long the secret at hand is good. */
function stateOf(key: ApiKey, untilMs: number, now: number): TokenState {
  if (key.revokedAt !== undefined) return 'revoked'
  if (key.expiresAt !== undefined && Date.parse(key.expiresAt) <= now) return 'expired'
  if (untilMs > now) return 'live'
  return key.parent === undefined ? 'replaced' : 'expired'
}

async function findById(engine: Engine, tenant: string, id: string): Promise<ApiKey | undefined> {
  const row = await engine.db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant', '=', toStoredText(tenant))
    .where('id', '=', toStoredText(id))
    .executeTakeFirst()
  return row && toApiKey(row)
}
