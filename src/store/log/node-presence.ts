import { sql } from 'kysely'
import { createUuid } from '../../core/kernel/ids.ts'
import type { ToolDirectory } from '../../core/work-ports.ts'
import type { Engine } from '../engine/engine.ts'
import { createTurns } from './in-turn.ts'

/** This process among the nodes that share the store. */
export interface NodePresence {
  /** Never the same twice, also when the same node starts again: what the last one left behind is not ours. */
  readonly id: string
  /** A node that was not seen for this long counts as dead. */
  readonly timeoutMs: number
  /**
   * When the store last saw this node, by the store's clock. Undefined while this node may not call
   * another one gone: after an outage of the store all were silent, and each needs time to be seen.
   */
  lastSeen(): string | undefined
  readonly toolDirectory: ToolDirectory
  readonly keyDirectory: KeyDirectory
  /** Removes the node, so that its work can be claimed at once. */
  leave(): Promise<void>
}

/** Which node holds which master keys. */
export interface KeyDirectory {
  /** Announces which keys this node holds, now and from now on. */
  announce(list: () => readonly string[]): Promise<void>
  /** Live nodes that do not hold this key, or have not announced that they do. */
  listWithout(keyId: string): Promise<string[]>
}

const beatsPerTimeout = 5
/** Silent for longer than this part of the timeout, a node was cut off itself, so that others may have been too. */
export const cutOffShare = 0.75

/** Enters this node and keeps it alive several times per timeout. */
export async function enterNode(
  engine: Engine,
  options: { nodeId: string; timeoutMs: number; onWarning: (message: string) => void },
): Promise<NodePresence> {
  const id = `${options.nodeId}/${createUuid()}`
  const beats = createBeats(options.timeoutMs)
  let listTools: () => readonly string[] | undefined = () => undefined
  let told: string | undefined
  let listKeys: () => readonly string[] | undefined = () => undefined
  // A beat that began earlier must neither overwrite what a later one announces, nor enter a node
  // again that has left. And one that hangs must not make this node look dead.
  const inTurn = createTurns(options.timeoutMs / beatsPerTimeout)
  const beat = () =>
    inTurn(() =>
      writeBeat().catch((error: unknown) => {
        // It may be written yet, over a later one.
        told = undefined
        throw error
      }),
    )
  const writeBeat = async () => {
    const tools = JSON.stringify(listTools())
    // Many tools are a long text: it goes along only where it has changed.
    const changed = tools === told ? null : tools
    const { rows } = await sql<{ seen_at: string }>`insert into nodes (id, tools, key_ids)
      values (${id}, ${changed}::jsonb, ${JSON.stringify(listKeys()) ?? null})
      on conflict (id) do update set seen_at = now(), key_ids = excluded.key_ids,
        tools = coalesce(excluded.tools, nodes.tools)
      returning seen_at::text`.execute(engine.db)
    beats.note(rows[0]?.seen_at)
    told = tools
  }
  await beat()
  await forgetOthers(engine, id)
  // An embedded store has no other nodes: the folder's lock shows who lives.
  const timer = engine.kind === 'pglite' ? undefined : keepAlive(beat, options)
  return {
    id,
    timeoutMs: options.timeoutMs,
    lastSeen: beats.lastSeen,
    toolDirectory: {
      async announce(tools) {
        listTools = tools
        await beat()
      },
      isElsewhere: (tool) => isElsewhere(engine, { tool, id, timeoutMs: options.timeoutMs }),
    },
    keyDirectory: {
      async announce(list) {
        listKeys = list
        await beat()
      },
      listWithout: (keyId) => listWithout(engine, { keyId, timeoutMs: options.timeoutMs }),
    },
    async leave() {
      clearInterval(timer)
      await inTurn(async () => {
        await engine.db.deleteFrom('nodes').where('id', '=', id).execute()
      })
    },
  }
}

/** A node that has not announced its keys may hold it. */
async function isElsewhere(
  { db }: Engine,
  { tool, id, timeoutMs }: { tool: string; id: string; timeoutMs: number },
): Promise<boolean> {
  const { rows } = await sql`select from nodes where id <> ${id}
    and seen_at > now() - make_interval(secs => ${timeoutMs / 1000}::float8)
    and (tools is null or jsonb_exists(tools, ${tool}::text)) limit 1`.execute(db)
  return rows.length > 0
}

async function listWithout(
  { db }: Engine,
  { keyId, timeoutMs }: { keyId: string; timeoutMs: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from nodes
    where seen_at > now() - make_interval(secs => ${timeoutMs / 1000}::float8)
    and not coalesce(jsonb_exists(key_ids::jsonb, ${keyId}::text), false) order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Remembers when this node was seen, and whether it was without a break for a whole timeout. */
function createBeats(timeoutMs: number): {
  note(seenAt: string | undefined): void
  lastSeen(): string | undefined
} {
  let last: string | undefined
  let notedAt = performance.now()
  // A node that has just started replaces a dead one, so it need not wait.
  let steadySince = Number.NEGATIVE_INFINITY
  return {
    note(seenAt) {
      const now = performance.now()
      if (now - notedAt > timeoutMs * cutOffShare) steadySince = now
      notedAt = now
      last = seenAt
    },
    lastSeen: () => (performance.now() - steadySince >= timeoutMs ? last : undefined),
  }
}

/** A node without a row counts as dead, so old rows only take up space. */
async function forgetOthers(engine: Engine, id: string): Promise<void> {
  const age = engine.kind === 'pglite' ? '0' : '1 day'
  await sql`delete from nodes where id <> ${id} and seen_at < now() - ${age}::interval`.execute(
    engine.db,
  )
}

function keepAlive(
  beat: () => Promise<void>,
  { timeoutMs, onWarning }: { timeoutMs: number; onWarning: (message: string) => void },
): NodeJS.Timeout {
  const timer = setInterval(() => {
    beat().catch((error: unknown) =>
      onWarning(`This node could not report that it lives: ${String(error)}`),
    )
  }, timeoutMs / beatsPerTimeout)
  return timer.unref()
}
