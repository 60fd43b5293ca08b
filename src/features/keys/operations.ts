import { findAgentFor } from '../../core/operations/find-agent-for.ts'
import { z } from 'zod'
import { parseApiKey } from '../../core/keys/api-key-token.ts'
import { isWithin } from '../../core/operations/agent-reach.ts'
import { pageLimit, pageOf, shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { assertNoMore } from '../../core/operations/require-permission.ts'
import { checkScopes } from '../../core/policy/check-scopes.ts'
import {
  assertAhead,
  assertMayRevoke,
  assertNoLonger,
  findIssuer,
  findReachable,
  type KeyParts,
  keyNotFound,
} from './key-rights.ts'
import {
  apiKey,
  issuedKey,
  keyRequest,
  keyRotation,
  tokenCheck,
  tokenReport,
  visitorToken,
  visitorTokenRequest,
} from './schemas.ts'

const define = operationsOf<KeyParts>('Keys')
const params = { id: 'The id of the key' }
const needs = 'keys.manage'

const listKeys = define({
  http: 'GET /api/v1/keys',
  summary: 'List API keys',
  description: 'Oldest first, without secrets. Visitors are listed with `parent` only.',
  needs,
  agents: 'own',
  query: z.strictObject({
    parent: shortText('Only the visitors of this key').optional(),
    after: shortText('The `next` of the previous page').optional(),
    limit: pageLimit(100, 1000),
  }),
  answer: { description: 'A page of keys', schema: pageOf(apiKey) },
  run: (query, { caller, parts }) =>
    parts.keys.list(caller.tenant, { ...query, agent: caller.agent }),
})

const createKey = define({
  http: 'POST /api/v1/keys',
  summary: 'Create an API key',
  description: 'The token appears only in this response: only its hash is stored.',
  needs,
  agents: 'own',
  body: keyRequest,
  answer: { status: 201, description: 'The key, with its token', schema: issuedKey },
  async run({ agent: asked, expiresAt: until, ...request }, { caller, parts }) {
    const { keys, now } = parts
    const agent = await findAgentFor(parts.rules, caller, asked)
    const warnings = checkScopes(request.scopes, parts.permissionsOfTools(caller.tenant))
    assertNoMore(caller, request.scopes)
    const expiresAt = until === undefined ? undefined : new Date(until)
    assertAhead(expiresAt, now())
    await assertNoLonger(caller, until, keys)
    const { tenant, principal: by, home } = caller
    const issued = await keys.create({ ...request, tenant, agent, expiresAt, by, home })
    return warnings.length === 0 ? issued : { ...issued, warnings }
  },
})

const issueToken = define({
  http: 'POST /api/v1/tokens',
  summary: 'Issue a short-lived token for a visitor',
  description:
    'For pages of your own site: your server requests it with its API key and passes the token to the page. The token gets the scopes you name, limited to those of the key. Conversations and calls belong to the visitor, so the next token for the same name finds them. The scopes of the newest token apply to all tokens of a visitor. Revoke the key, or the visitor’s own key, to end them.',
  needs: 'signed-in',
  agents: 'own',
  body: visitorTokenRequest,
  answer: { status: 201, description: 'The token', schema: visitorToken },
  async run({ visitor, scopes, agent: asked, expiresInSeconds }, { caller, parts }) {
    const { keys, now } = parts
    const issuer = await findIssuer(caller, keys)
    assertNoMore(caller, scopes)
    const agent = await findAgentFor(parts.rules, caller, asked)
    const { tenant, id: parent, expiresAt } = issuer
    // A token never outlives the key that issues it.
    const most = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
    const untilMs = Math.min(now() + expiresInSeconds * 1000, most)
    const issued = await keys.issueToken({ tenant, parent, visitor, scopes, agent, untilMs })
    return { ...issued, expiresAt: new Date(untilMs).toISOString() }
  },
})

const rotateKey = define({
  http: 'POST /api/v1/keys/{id}/rotate',
  summary: 'Rotate the secret of an API key',
  description:
    'The id, scopes and expiry are unchanged. The old secret stops at once, or keeps working for `overlapSeconds` so that you can replace it everywhere.',
  needs,
  agents: 'own',
  params,
  body: keyRotation,
  isBodyOptional: true,
  answer: { description: 'The key, with its new token', schema: issuedKey },
  async run({ id, overlapSeconds }, { caller, parts: { keys, rules } }) {
    const key = await findReachable(caller, id, keys)
    if (key.parent !== undefined) throw keyNotFound(id)
    // The caller gets the new token, so rotating needs the same permissions as creating a key.
    assertNoMore(caller, key.scopes)
    await assertNoLonger(caller, key.expiresAt, keys)
    const { tenant, principal: by, home } = caller
    const overlapMs = overlapSeconds * 1000
    const rotated = await keys.rotate(tenant, id, { overlapMs, by, home })
    if (rotated === undefined) throw keyNotFound(id)
    // Clears this node's cache of the changed keys.
    await rules.refresh()
    return rotated
  },
})

const revokeKey = define({
  http: 'DELETE /api/v1/keys/{id}',
  summary: 'Revoke an API key',
  needs,
  agents: 'own',
  params,
  async run({ id }, { caller, parts: { keys, rules } }) {
    await assertMayRevoke(caller, id, keys)
    if (!(await keys.revoke(caller.tenant, id, caller.principal))) throw keyNotFound(id)
    // Clears this node's cache of the changed keys.
    await rules.refresh()
  },
})

const checkTokens = define({
  http: 'POST /api/v1/keys/check',
  summary: 'Check which tokens still work',
  description:
    'For leaked tokens. Checking does not count as use. Keys of other tenants are `unknown`; a string that only looks like a key is `not_a_key`.',
  needs,
  agents: 'own',
  body: tokenCheck,
  answer: {
    description: 'The state of each token, in the same order',
    schema: z.object({ items: z.array(tokenReport) }),
  },
  async run({ tokens }, { caller, parts: { keys } }) {
    const items = tokens.map(async (token) => {
      const parsed = parseApiKey(token)
      if (parsed === undefined) return { id: `${token.slice(0, 15)}…`, state: 'not_a_key' as const }
      const found = await keys.inspect(token)
      const isOurs = found?.key.tenant === caller.tenant && isWithin(caller, found.key.agent)
      if (found === undefined || !isOurs) return { id: parsed.id, state: 'unknown' as const }
      return { id: parsed.id, state: found.state, name: found.key.name }
    })
    return { items: await Promise.all(items) }
  },
})

/** Everything that can be done with API keys, by library method. */
export const keyOperations = {
  listKeys,
  createKey,
  issueToken,
  checkTokens,
  rotateKey,
  revokeKey,
}
