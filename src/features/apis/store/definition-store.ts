import { sql } from 'kysely'
import { storeTime } from '../../../core/kernel/ids.ts'
import { nextTurn } from '../../../core/kernel/map-in-turns.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import type { ApiId, DefinitionStore, KeptDefinition } from '../definition-store.ts'
import type { ApiOperation } from '../model.ts'

/** The approximate size of one statement: PGlite runs each on the JavaScript thread. */
const batchChars = 400_000
const readAtOnce = 100

/** The table of definitions in the database. */
export function createDefinitionStore(engine: Engine): DefinitionStore {
  const of = ({ tenant, api }: ApiId) => ({
    tenant: toStoredText(tenant),
    api: toStoredText(api),
  })
  return {
    async keep(key, definitions) {
      for (const batch of toBatches(definitions)) {
        const rows = batch.map(({ hash, body }) => ({
          ...of(key),
          hash,
          body,
          seen_ms: storeTime(),
        }))
        await changeIn(engine, (transaction) =>
          transaction
            .insertInto('api_definitions')
            .values(rows)
            .onConflict((conflict) =>
              conflict
                .columns(['tenant', 'api', 'hash'])
                .doUpdateSet({ seen_ms: sql<number>`excluded.seen_ms` }),
            )
            .execute(),
        )
        await nextTurn()
      }
    },
    async find(key, hashes) {
      const found: KeptDefinition[] = []
      for (let from = 0; from < hashes.length; from += readAtOnce) {
        found.push(...(await findSome(engine, of(key), hashes.slice(from, from + readAtOnce))))
        await nextTurn()
      }
      return found
    },
    drop: (key, used, seenBeforeMs) =>
      guarded(() => dropUnused(engine, of(key), { used, seenBeforeMs })),
    sweep: (seenBeforeMs) =>
      guarded(async () => {
        const { numDeletedRows } = await engine.db
          .deleteFrom('api_definitions')
          .where('seen_ms', '<', seenBeforeMs)
          .where(
            sql<boolean>`not exists (select 1 from rules where rules.tenant = api_definitions.tenant and rules.kind = 'api-tools' and rules.name = api_definitions.api)`,
          )
          .executeTakeFirst()
        return Number(numDeletedRows)
      }),
  }
}

async function dropUnused(
  engine: Engine,
  { tenant, api }: ApiId,
  { used, seenBeforeMs }: { used: ReadonlySet<string>; seenBeforeMs: number },
): Promise<void> {
  const rows = await engine.db
    .selectFrom('api_definitions')
    .select('hash')
    .where('tenant', '=', tenant)
    .where('api', '=', api)
    .where('seen_ms', '<', seenBeforeMs)
    .execute()
  const unused = rows.map(({ hash }) => hash).filter((hash) => !used.has(hash))
  if (unused.length === 0) return
  await engine.db
    .deleteFrom('api_definitions')
    .where('tenant', '=', tenant)
    .where('api', '=', api)
    .where('hash', 'in', unused)
    .where('seen_ms', '<', seenBeforeMs)
    .execute()
}

async function findSome(
  engine: Engine,
  { tenant, api }: ApiId,
  hashes: readonly string[],
): Promise<KeptDefinition[]> {
  return guarded(async () => {
    const rows = await engine.db
      .selectFrom('api_definitions')
      .select(['hash', 'body'])
      .where('tenant', '=', tenant)
      .where('api', '=', api)
      .where('hash', 'in', hashes.map(toStoredText))
      .execute()
    return rows.map(({ hash, body }) => ({
      hash,
      definition: JSON.parse(body) as ApiOperation,
    }))
  })
}

function* toBatches(
  definitions: readonly KeptDefinition[],
): Generator<{ hash: string; body: string }[]> {
  let batch: { hash: string; body: string }[] = []
  let chars = 0
  const seen = new Set<string>()
  for (const { hash, definition } of definitions) {
    // One statement must not write a row twice.
    if (seen.has(hash)) continue
    seen.add(hash)
    const body = JSON.stringify(definition)
    batch.push({ hash, body })
    chars += body.length
    if (chars < batchChars) continue
    yield batch
    batch = []
    chars = 0
  }
  if (batch.length > 0) yield batch
}
