import { ToolError } from '../../../core/kernel/errors.ts'
import type { Keyring, KeyringStatus, RotationStep } from '../../../core/secrets/keyring.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import type { KeyDirectory } from '../../../store/log/node-presence.ts'
import { recordEventOf } from '../../../store/log/record-events.ts'
import { type KeySource, type MasterKeyRing, parseMasterKeys } from '../../../store/master-key.ts'
import { type ActiveKey, readActiveKey, replaceActiveKey } from './active-key.ts'
import {
  enterKeys,
  findKey,
  findPepperKey,
  forgetKey,
  rotatePepper,
} from '../../../store/sealing/key-checks.ts'
import type { LiveRing } from '../../../store/sealing/live-ring.ts'
import type { SealedRows } from '../../../store/sealing/sealed-rows.ts'
import { countSealed, resealInputs, rewrapSecrets } from './rewrap.ts'

export interface KeyringParts {
  ring: LiveRing
  source: KeySource
  directory: KeyDirectory
  sealed: SealedRows
  onWarning(message: string): void
  /** How soon a node hears of a change by itself. */
  syncMs: number
}

export interface ClosableKeyring extends Keyring {
  close(): void
}

/** The most that one step moves: a second or two of work. */
const stepRows = 1000

type RotateRequest = Parameters<Keyring['rotate']>[0]

/** The ring of a running node. Steps of one node take turns; those of several do each other no harm. */
export async function openKeyring(engine: Engine, parts: KeyringParts): Promise<ClosableKeyring> {
  const { ring, directory, onWarning } = parts
  await follow(engine, ring)
  await directory.announce(() => [...ring.keys.keys()])
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(() => guarded(work))
    turn = result.catch(() => undefined)
    return result
  }
  const stopSync = engine.kind === 'postgres' ? syncInTime(engine, parts, inTurn) : () => undefined
  return {
    status: () => inTurn(async () => readStatus(engine, parts, await sync(engine, parts))),
    rotate: (request) => inTurn(() => rotate(engine, parts, request)),
    drop: (id, event) =>
      inTurn(async () => {
        await sync(engine, parts)
        await assertUnused(engine, parts, id)
        await changeIn(engine, async (transaction) => {
          await forgetKey(transaction, id)
          const data = { step: 'dropped', keyId: id } as const
          await recordEventOf(transaction, event, { type: 'keyring.rotated', data })
        })
        await parts.source.file?.remove(id)
        ring.remove(id)
        await directory.announce(() => [...ring.keys.keys()])
        if (parts.source.file === undefined) {
          onWarning(`Master key ${id} is not used any more: take it out of ${parts.source.place}`)
        }
        return { isGone: parts.source.file !== undefined }
      }),
    close: stopSync,
  }
}

/** Takes up keys that were put into the source, and what another node rotated to. The source's ring. */
async function sync(engine: Engine, { ring, source, directory }: KeyringParts) {
  const given = await source.read()
  const fresh = [...given.keys].filter(([id]) => !ring.keys.has(id))
  await enterKeys(engine.db, new Map(fresh))
  for (const [id, key] of fresh) ring.add(id, key)
  await follow(engine, ring)
  if (fresh.length > 0) await directory.announce(() => [...ring.keys.keys()])
  return given
}

/** Seals with the agreed key. A node without it must stop: it could not read the rest. */
async function follow(engine: Engine, ring: LiveRing): Promise<void> {
  const active = await readActiveKey(engine.db)
  if (active === undefined || active.id === ring.activeId) return
  findKey(ring, active.id)
  ring.use(active.id)
}

function syncInTime(
  engine: Engine,
  parts: KeyringParts,
  inTurn: (work: () => Promise<unknown>) => Promise<unknown>,
): () => void {
  let told = ''
  let isLooking = false
  const look = async () => {
    // A store that is away for a while is not asked by all who came in vain.
    if (isLooking) return
    isLooking = true
    try {
      await inTurn(() => sync(engine, parts))
    } catch (error) {
      const message = `The master keys could not be looked over: ${String(error)}`
      if (message !== told) parts.onWarning(message)
      told = message
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(() => void look(), parts.syncMs).unref()
  return () => clearInterval(timer)
}

async function readStatus(
  engine: Engine,
  { ring, source, directory, sealed }: KeyringParts,
  given: MasterKeyRing,
): Promise<KeyringStatus> {
  const counts = await countSealed(engine.db, sealed)
  const pepper = await findPepperKey(engine.db)
  const used = [...counts.secrets.keys(), ...counts.inputs.keys(), pepper]
  const ids = [...new Set([ring.activeId, ...ring.keys.keys(), ...used])]
  const keys = ids.map(async (id) => ({
    id,
    isActive: id === ring.activeId,
    isHeld: ring.keys.has(id),
    secrets: counts.secrets.get(id) ?? 0,
    inputs: counts.inputs.get(id) ?? 0,
    pepper: pepper === id,
    missingOn: engine.kind === 'postgres' ? await directory.listWithout(id) : [],
  }))
  return {
    activeId: ring.activeId,
    ...(given.activeId !== ring.activeId && { nextId: given.activeId }),
    place: source.place,
    keys: await Promise.all(keys),
  }
}

async function rotate(
  engine: Engine,
  parts: KeyringParts,
  request: RotateRequest,
): Promise<RotationStep> {
  const given = await sync(engine, parts)
  let moved = await move(engine, parts)
  // A rotation that was begun is finished before another begins, also after a crash.
  const hasBegun = request.isResumed !== true && sum(moved) === 0
  if (hasBegun) {
    await begin(engine, parts, { request, given })
    moved = await move(engine, parts)
  }
  const left = await countOlder(engine, parts)
  const isDone = sum(left) === 0 || sum(moved) === 0
  if (isDone && sum(moved) > 0) {
    await changeIn(engine, (transaction) =>
      recordEventOf(transaction, request, {
        type: 'keyring.rotated',
        data: { step: 'finished', keyId: parts.ring.activeId, left },
      }),
    )
  }
  return { keyId: parts.ring.activeId, hasBegun, moved, left, isDone }
}

async function move(
  engine: Engine,
  { ring, sealed }: KeyringParts,
): Promise<RotationStep['moved']> {
  const most = { ...sealed, limit: stepRows }
  const secrets = await rewrapSecrets(engine, ring, most)
  const inputs = await resealInputs(engine, ring, most)
  await rotatePepper(engine.db, ring)
  return { secrets, inputs }
}

/** Makes the next key the one to seal with, once every node holds it. */
async function begin(
  engine: Engine,
  parts: KeyringParts,
  { request, given }: { request: RotateRequest; given: MasterKeyRing },
): Promise<void> {
  const { ring, directory } = parts
  const from = ring.activeId
  const seen = await agree(engine, from)
  const to = await takeNext(engine, parts, { key: request.key, given })
  if (engine.kind === 'postgres') {
    const without = await directory.listWithout(to)
    if (without.length > 0) throw keyMissing(to, without, parts.source)
  }
  await changeIn(engine, async (transaction) => {
    if (!(await replaceActiveKey(transaction, seen, { id: to, sinceMs: engine.now() }))) {
      throw new ToolError('conflict', 'Another node has begun a rotation', { fix: 'Run it again.' })
    }
    const data = { step: 'begun', keyId: to, from } as const
    await recordEventOf(transaction, request, { type: 'keyring.rotated', data })
  })
  ring.use(to)
}

/**
 * From here on the store decides which key is in use, not the order of a ring: a new key may come
 * first in one while others do not have it yet.
 */
async function agree(engine: Engine, activeId: string): Promise<ActiveKey> {
  const known = await readActiveKey(engine.db)
  if (known !== undefined) return known
  await replaceActiveKey(engine.db, undefined, { id: activeId, sinceMs: engine.now() })
  const agreed = await readActiveKey(engine.db)
  if (agreed?.id === activeId) return agreed
  throw new ToolError('conflict', 'Another node has begun a rotation', { fix: 'Run it again.' })
}

/** The key that was given, else the one that waits at the front of the source, else a fresh one. */
async function takeNext(
  engine: Engine,
  { ring, source, directory }: KeyringParts,
  { key, given }: { key: string | undefined; given: MasterKeyRing },
): Promise<string> {
  if (key === undefined && given.activeId !== ring.activeId) return given.activeId
  if (source.file === undefined) throw keptElsewhere(source)
  const own = key === undefined ? undefined : parseOne(key)
  if (own !== undefined) await enterKeys(engine.db, new Map([[own.id, own.key]]))
  const after = await source.file.add(own)
  await enterKeys(engine.db, after.keys)
  for (const [id, bytes] of after.keys) ring.add(id, bytes)
  await directory.announce(() => [...ring.keys.keys()])
  return after.activeId
}

function parseOne(text: string): { id: string; key: Uint8Array } {
  const { keys } = parseMasterKeys(text)
  const [[id, key] = []] = [...keys]
  if (keys.size === 1 && id !== undefined && key !== undefined) return { id, key }
  throw new ToolError('invalid_request', 'Give one master key, not several')
}

async function countOlder(engine: Engine, { ring, sealed }: KeyringParts) {
  const { secrets, inputs } = await countSealed(engine.db, sealed)
  const older = (counts: ReadonlyMap<string, number>) =>
    [...counts].reduce((total, [id, count]) => total + (id === ring.activeId ? 0 : count), 0)
  return { secrets: older(secrets), inputs: older(inputs) }
}

function sum({ secrets, inputs }: { secrets: number; inputs: number }): number {
  return secrets + inputs
}

/** Other nodes hear of a rotation within a moment; until they surely have, they may seal with the old key. */
const settleMs = 30_000

async function assertUnused(engine: Engine, parts: KeyringParts, id: string): Promise<void> {
  const { ring, source } = parts
  const status = await readStatus(engine, parts, await source.read())
  const key = status.keys.find((one) => one.id === id)
  if (key === undefined || !ring.keys.has(id)) {
    throw new ToolError('not_found', `There is no master key ${JSON.stringify(id.slice(0, 100))}`, {
      fix: 'toolcrib keyring lists them.',
    })
  }
  if (key.isActive) {
    throw new ToolError('conflict', `Master key ${id} is in use`, {
      fix: 'Rotate to another one first: toolcrib keyring rotate',
    })
  }
  if (key.secrets + key.inputs > 0 || key.pepper) {
    throw new ToolError(
      'conflict',
      `${key.secrets} secrets and ${key.inputs} inputs are still sealed under ${id}`,
      { fix: 'Move them first: toolcrib keyring rotate' },
    )
  }
  const active = await readActiveKey(engine.db)
  const isFresh = active !== undefined && engine.now() - active.sinceMs < settleMs
  if (engine.kind === 'postgres' && isFresh) {
    throw new ToolError('conflict', 'Other nodes may still be sealing with it', {
      fix: 'Try again in half a minute.',
    })
  }
}

function keyMissing(id: string, nodes: readonly string[], { place }: KeySource): ToolError {
  return new ToolError(
    'conflict',
    `These nodes do not hold master key ${id} yet: ${nodes.slice(0, 10).join(', ')}`,
    {
      fix: `Copy its line from ${place} into the keys of each node, as the second one or first; a file is read again within seconds, a variable needs a restart. Then run toolcrib keyring rotate again. Nothing was changed.`,
    },
  )
}

function keptElsewhere({ place }: KeySource): ToolError {
  return new ToolError('conflict', `The master keys of this server are kept in ${place}`, {
    fix: `Put the new key in front of the old one there, on every node (new,old); make one with: openssl rand -base64 32. Then run toolcrib keyring rotate again.`,
  })
}
