import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import {
  type VisitorToken,
  type VisitorTokenRequest,
  visitorTokenMs,
} from '../../core/keys/keys-api.ts'
import type { Store } from '../../core/ports.ts'
import type { ApiKey } from '../../core/vault-ports.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { findAgentFor } from './find-agent-for.ts'
import { assertNoMore } from '../../core/operations/require-permission.ts'

interface Parts {
  store: Pick<Store, 'keys' | 'now'>
  views: TenantViews
}

/** A token that a page may hold: of a key, for one visitor, with no more than that key has. */
export async function issueToken(
  { store: { keys, now }, views }: Parts,
  caller: Caller,
  { visitor, scopes, agent: asked, expiresInMs }: VisitorTokenRequest,
): Promise<VisitorToken> {
  const issuer = await findIssuer(caller, keys)
  assertNoMore(caller, scopes)
  const agent = await findAgentFor(caller, asked, views)
  const untilMs = toTokenEnd(now(), expiresInMs ?? visitorTokenMs.usual, issuer)
  const { tenant, id: parent } = issuer
  const issued = await keys.issueToken({ tenant, parent, visitor, scopes, agent, untilMs })
  return { ...issued, expiresAt: new Date(untilMs).toISOString() }
}

/** Only a site's own key lets its visitors in: a token issues no further ones. */
async function findIssuer(caller: Caller, keys: Store['keys']): Promise<ApiKey> {
  const { tenant, principal, home = tenant } = caller
  const key =
    principal.kind === 'key' && home === tenant ? await keys.find(tenant, principal.id) : undefined
  if (key !== undefined && key.parent === undefined) return key
  throw new ToolError('forbidden', 'Only an API key of this tenant can issue tokens', {
    fix: 'Ask from your server, with a key from `toolcrib keys create`, and hand the token to the page.',
  })
}

/** A token never outlives the key that issues it. */
function toTokenEnd(now: number, asked: number, { expiresAt }: ApiKey): number {
  const untilMs = now + asked
  return expiresAt === undefined ? untilMs : Math.min(untilMs, Date.parse(expiresAt))
}
