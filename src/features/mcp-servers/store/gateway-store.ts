import type { Selectable } from 'kysely'
import type { EraVerdict, GatewayStore, KnownServer } from '../../../core/gateway/gateway-store.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toJsonText, toStoredText } from '../../../store/log/stored-text.ts'
import type { KnownServersTable } from '../tables.ts'

/** Known facts about MCP servers, on either engine. */
export function createGatewayStore(engine: Engine): GatewayStore {
  const { db } = engine
  const table = 'mcp_known_servers'
  return {
    list: (tenant) =>
      guarded(async () => {
        const rows = await db
          .selectFrom(table)
          .selectAll()
          .where('tenant', '=', toStoredText(tenant))
          .orderBy('server')
          .execute()
        return rows.map(toKnown)
      }),
    find: ({ tenant, server }) =>
      guarded(async () => {
        const row = await db
          .selectFrom(table)
          .selectAll()
          .where('tenant', '=', toStoredText(tenant))
          .where('server', '=', toStoredText(server))
          .executeTakeFirst()
        return row && toKnown(row)
      }),
    write: (known) =>
      guarded(async () => {
        const { tenant, server, ...rest } = toRow(known)
        await db
          .insertInto(table)
          .values({ tenant, server, ...rest })
          .onConflict((conflict) => conflict.columns(['tenant', 'server']).doUpdateSet(rest))
          .execute()
        engine.noteWrites(1)
      }),
    forget: ({ tenant, server }) =>
      guarded(async () => {
        const gone = await db
          .deleteFrom(table)
          .where('tenant', '=', toStoredText(tenant))
          .where('server', '=', toStoredText(server))
          .executeTakeFirst()
        return gone.numDeletedRows > 0n
      }),
  }
}

function toRow(known: KnownServer): KnownServersTable {
  const { verdict, tools, about, listedAt, asking } = known
  const textOrNull = (value: unknown) => (value === undefined ? null : toJsonText(value))
  return {
    tenant: toStoredText(known.tenant),
    server: toStoredText(known.server),
    fingerprint: toStoredText(known.fingerprint),
    verdict: textOrNull(verdict),
    tools: textOrNull(tools),
    about: textOrNull(about),
    listed_ms: listedAt === undefined ? null : Math.round(listedAt),
    asking: textOrNull(asking),
  }
}

function toKnown(row: Selectable<KnownServersTable>): KnownServer {
  const { tenant, server, fingerprint, verdict, tools, about, asking, listed_ms: listedMs } = row
  return {
    tenant,
    server,
    fingerprint,
    ...(verdict !== null && { verdict: JSON.parse(verdict) as EraVerdict }),
    ...(tools !== null && { tools: JSON.parse(tools) as JsonValue[] }),
    ...(about !== null && { about: JSON.parse(about) as JsonValue }),
    ...(listedMs !== null && { listedAt: listedMs }),
    ...(asking !== null && { asking: JSON.parse(asking) as string[] }),
  }
}
