import { sql } from 'kysely'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'

/** The names of the members and keys among these (`kind:id`). Removed ones have no name. */
export async function namePrincipals(
  engine: Engine,
  tenant: string,
  principals: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (prefix: string) =>
    principals
      .filter((principal) => principal.startsWith(prefix))
      .map((principal) => toStoredText(principal.slice(prefix.length)))
  const users = idsOf('user:')
  const keys = idsOf('key:')
  if (users.length + keys.length === 0) return new Map()
  const { rows } = await sql<{ principal: string; name: string }>`
    select 'user:' || id as principal, name from members
    where tenant = ${toStoredText(tenant)} and id = any (${users}::text[])
    union all
    select 'key:' || id, name from api_keys
    where tenant = ${toStoredText(tenant)} and id = any (${keys}::text[])`.execute(engine.db)
  return new Map(rows.map(({ principal, name }) => [principal, name]))
}
