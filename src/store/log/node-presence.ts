import { sql } from 'kysely'
import { createUuid } from '../../core/ids.ts'
import type { Engine } from '../engine/engine.ts'

/** This process among the nodes that share the store. */
export interface NodePresence {
  /** Never the same twice, also when the same node starts again: what the last one left behind is not ours. */
  readonly id: string
  /** A node that was not seen for so long is gone. */
  readonly timeoutMs: number
  /** Says goodbye, so that what is left can be claimed at once. */
  leave(): Promise<void>
}

/** Enters this node and keeps it alive three times per timeout. */
export async function enterNode(
  engine: Engine,
  options: { nodeId: string; timeoutMs: number; onWarning: (message: string) => void },
): Promise<NodePresence> {
  const id = `${options.nodeId}/${createUuid()}`
  const beat = async () => {
    await sql`insert into nodes (id) values (${id})
      on conflict (id) do update set seen_at = now()`.execute(engine.db)
  }
  await beat()
  await forgetOthers(engine, id)
  // In an embedded store there is nobody else to tell: the folder's lock says who lives.
  const timer = engine.kind === 'pglite' ? undefined : keepAlive(beat, options)
  return {
    id,
    timeoutMs: options.timeoutMs,
    async leave() {
      clearInterval(timer)
      await engine.db.deleteFrom('nodes').where('id', '=', id).execute()
    },
  }
}

/** Whoever has no row is gone, so old rows only take up room. */
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
  }, timeoutMs / 3)
  return timer.unref()
}
