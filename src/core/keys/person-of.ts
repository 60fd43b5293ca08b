import type { Principal } from '../kernel/call.ts'
import { firstOwnerId } from '../people/member.ts'
import type { ApiKey } from '../vault-ports.ts'

/** The person who owns a key. */
export function personOf({ owner }: Pick<ApiKey, 'owner'>): Principal {
  return { kind: 'user', id: owner === undefined ? firstOwnerId : owner.id }
}
