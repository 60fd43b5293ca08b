import { storeTime } from '../../../core/kernel/ids.ts'
import type { Transaction } from 'kysely'
import type { Principal } from '../../../core/kernel/call.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { firstOwnerId } from '../../../core/people/member.ts'
import type { KeyOwner } from '../../../core/vault-ports.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import type { Tables } from '../../../store/tables.ts'

/** The maker of a key, and the tenant that knows them. */
interface Maker {
  tenant: string
  by?: Principal
  home?: string
}

/**
 * The member who answers for what `by` makes. Their row is locked until the key is written: a
 * concurrent removal waits and then finds the key.
 */
export async function findMaker(
  transaction: Transaction<Tables>,
  maker: Maker,
): Promise<string | null> {
  const found = await nameMaker(transaction, maker)
  const owner = found === null ? undefined : toOwner(found)
  // Users of an application that embeds Toolcrib are not members.
  if (owner === undefined || !isMember(owner.id)) return found
  const { tenant, id } = owner
  const member = await transaction
    .selectFrom('members')
    .select('id')
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  if (member === undefined) throw makerIsGone()
  return found
}

/** A key answers for nothing itself; its maker does. */
async function nameMaker(
  transaction: Transaction<Tables>,
  { tenant, by, home = tenant }: Maker,
): Promise<string | null> {
  if (by?.kind === 'user') return by.id === firstOwnerId ? null : toMaker(home, by.id)
  if (by?.kind !== 'key') return null
  const key = await transaction
    .selectFrom('api_keys')
    .select('maker')
    .where('tenant', '=', toStoredText(home))
    .where('id', '=', toStoredText(by.id))
    .executeTakeFirst()
  return key?.maker ?? null
}

/** Ends all keys that this member answers for, in any tenant, and records each. */
export async function revokeKeysOf(
  transaction: Transaction<Tables>,
  { tenant, id, by }: { tenant: string; id: string; by: Principal },
): Promise<void> {
  const at = storeTime()
  const keys = await transaction
    .updateTable('api_keys')
    .set({ revoked_ms: at })
    .where('maker', '=', toMaker(tenant, id))
    .where('revoked_ms', 'is', null)
    .returning(['id', 'tenant'])
    .execute()
  const told = keys.map((key) => ({
    tenant: key.tenant,
    principal: by,
    event: { type: 'key.revoked', at, data: { id: key.id, member: id } } as const,
  }))
  await recordEvents(transaction, told)
}

function isMember(id: string): boolean {
  return id.startsWith('mem_')
}

/** The person that `toMaker` names. Slugs of tenants have no slash. */
export function toOwner(maker: string): KeyOwner {
  const slash = maker.indexOf('/')
  return { tenant: maker.slice(0, slash), id: maker.slice(slash + 1) }
}

function toMaker(tenant: string, member: string): string {
  return toStoredText(`${tenant}/${member}`)
}

function makerIsGone(): ToolError {
  return new ToolError('forbidden', 'The member who makes this key no longer exists')
}
