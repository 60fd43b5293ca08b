import { SignJWT } from 'jose'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ConfigInput, Crib } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { type KeyIssuer, openKeyIssuer } from './fixtures/key-issuer.ts'

const publicUrl = 'https://crib.example.com'
const owner = ownerOf()
type IssuerInput = NonNullable<
  NonNullable<NonNullable<ConfigInput['server']>['oauth']>['issuers']
>[number]

let issuer: KeyIssuer
let crib: Crib

beforeEach(async () => {
  issuer = await openKeyIssuer(`${publicUrl}/mcp`)
})
afterEach(async () => {
  await crib.close()
  await issuer.close()
})

let warnings: string[]

/** A crib that trusts the issuer, with Ada as an operator. */
async function open(more: Partial<IssuerInput> = {}, config: ConfigInput = {}) {
  warnings = []
  crib = await createTestCrib({
    onWarning: (message) => void warnings.push(message),
    config: {
      ...config,
      server: { publicUrl, oauth: { issuers: [{ issuer: issuer.issuer, ...more }] } },
    },
  })
  const ada = await crib.api.createMember(owner, { email: 'ada@example.com', role: 'operator' })
  return { api: crib.api, ada, enter: (token: string) => crib.api.authenticate(token, 'mcp') }
}

const seconds = () => Math.floor(Date.now() / 1000)

test('a token becomes the member it names, with what its scopes and the role both permit', async () => {
  const { ada, enter } = await open({
    scopes: { read: ['tools.call', 'audit.read', 'tenants.manage'], all: ['*'] },
  })
  expect(await enter(await issuer.sign({ scope: 'read unknown' }))).toEqual({
    tenant: 'default',
    principal: { kind: 'user', id: ada.id },
    permissions: ['tools.call', 'audit.read'],
    runtime: 'mcp',
    signInId: `oauth ${issuer.issuer}`,
  })
  // A list under another name, as some issuers write it.
  expect(
    (await enter(await issuer.sign({ scope: undefined, scp: ['read'] })))?.permissions,
  ).toEqual(['tools.call', 'audit.read'])
  expect((await enter(await issuer.sign({ scope: '' })))?.permissions).toEqual([])
})

test.each([
  ['for another audience', { aud: 'https://other.example.com/mcp' }, {}],
  ['for an address that only begins like ours', { aud: `${publicUrl}/mcpx` }, {}],
  ['for our address with a slash behind it', { aud: `${publicUrl}/mcp/` }, {}],
  ['for nobody', { aud: undefined }, {}],
  ['of another issuer', { iss: 'https://other.example.com' }, {}],
  ['that is over', { exp: seconds() - 3600 }, {}],
  ['without an end', { exp: undefined }, {}],
  ['that is not good yet', { nbf: seconds() + 3600 }, {}],
  ['without a subject', { sub: undefined }, {}],
  ['that is for signing out', {}, { typ: 'logout+jwt' }],
  ['whose key the issuer does not have', {}, { kid: 'another' }],
])('a token %s is refused', async (_what, claims, header) => {
  const { enter } = await open()
  expect(await enter(await issuer.sign(claims, header))).toBeUndefined()
})

test('unsigned tokens, and those signed with the public key as a secret, are refused', async () => {
  const { enter } = await open()
  const [, body = ''] = (await issuer.sign()).split('.')
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  expect(await enter(`${part({ alg: 'none' })}.${body}.`)).toBeUndefined()
  const { kid } = issuer.publicKey()
  const secret = Buffer.from(JSON.stringify(issuer.publicKey()))
  const confused = await new SignJWT({ iss: issuer.issuer, aud: `${publicUrl}/mcp`, sub: 'ada' })
    .setProtectedHeader({ alg: 'HS256', kid })
    .setExpirationTime('1h')
    .sign(secret)
  expect(await enter(confused)).toBeUndefined()
})

test.each(['', 'a', 'a.b', 'a.b.c', '..', 'x'.repeat(100_000), `eyJ${'.'.repeat(50)}`])(
  'what is no token at all is refused: %#',
  async (token) => {
    const { enter } = await open()
    expect(await enter(token)).toBeUndefined()
    expect(issuer.requests).toEqual([])
  },
)

test('a token without a scope that everybody needs is told which', async () => {
  const { enter } = await open({ requiredScopes: ['crib'] })
  await expect(enter(await issuer.sign())).rejects.toMatchObject({
    code: 'forbidden',
    details: { missingScopes: ['crib'] },
  })
})

test('people are found by their subject where it is mapped, and by a verified address otherwise', async () => {
  const { ada, enter } = await open({ subjects: { 'client-7': 'ada@example.com' } })
  expect(
    (await enter(await issuer.sign({ sub: 'client-7', email: undefined })))?.principal,
  ).toEqual({ kind: 'user', id: ada.id })
  const refused = { code: 'forbidden' }
  for (const claims of [
    { email_verified: false },
    { email_verified: undefined },
    { email_verified: 'true' },
    { email: ' ada@example.com' },
    { email: 'ada@example.com\n' },
    { email: 'eve@example.com' },
    { email: 'no address' },
    { email: ['ada@example.com'] },
    { sub: 'constructor', email: undefined },
  ]) {
    await expect(enter(await issuer.sign(claims))).rejects.toMatchObject(refused)
  }
})

test('who is suspended is out within moments, with a token that was good a moment ago', async () => {
  const { api, ada, enter } = await open()
  const token = await issuer.sign()
  expect(await enter(token)).toBeDefined()
  await api.changeMember(owner, { id: ada.id, status: 'suspended' })
  await vi.waitFor(() => expect(enter(token)).rejects.toMatchObject({ code: 'forbidden' }), 20_000)
})

test('a claim names the tenant, among those the issuer may speak for', async () => {
  const { enter } = await open(
    { tenantClaim: 'org', tenants: ['acme'], subjects: { ada: 'mem_none' } },
    { tenants: [{ slug: 'acme' }, { slug: 'rival' }] },
  )
  for (const org of ['rival', 'default', 'nowhere', undefined]) {
    await expect(enter(await issuer.sign({ org }))).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('a claim binds to an agent, and two that disagree are refused', async () => {
  const agents = [
    { slug: 'support', tools: { allow: ['*'] } },
    { slug: 'sales', tools: { allow: ['*'] } },
  ]
  const { enter } = await open({ agentClaim: 'agent' }, { agents })
  const aud = `${publicUrl}/mcp/sales`
  expect((await enter(await issuer.sign({ agent: 'support' })))?.agent).toBe('support')
  expect((await enter(await issuer.sign({ aud })))?.agent).toBe('sales')
  for (const claims of [{ agent: 'nobody' }, { agent: 7 }, { agent: 'support', aud }]) {
    await expect(enter(await issuer.sign(claims))).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('a token for the address of a server behind this one is one for this one', async () => {
  const { enter, ada } = await open({}, { agents: [{ slug: 'servers', tools: { allow: ['*'] } }] })
  const caller = await enter(await issuer.sign({ aud: `${publicUrl}/mcp/servers/wiki` }))
  expect([caller?.principal.id, caller?.agent]).toEqual([ada.id, undefined])
  const agent = await enter(await issuer.sign({ aud: `${publicUrl}/mcp/servers` }))
  expect(agent?.agent).toBe('servers')
  for (const rest of ['servers/A', 'servers/wiki/x', 'other/wiki']) {
    expect(await enter(await issuer.sign({ aud: `${publicUrl}/mcp/${rest}` }))).toBeUndefined()
  }
})

test('a key that is new is found with the first token, and forged ones do not make us ask again', async () => {
  const { enter } = await open()
  await enter(await issuer.sign())
  const asked = issuer.requests.length
  for (let index = 0; index < 20; index += 1) {
    await enter(await issuer.sign({ jti: index }, { kid: `forged-${index}` }))
  }
  expect(issuer.requests.length).toBe(asked)
})

test('an issuer that changes its key without a word is asked again within seconds', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const { enter } = await open()
    await enter(await issuer.sign())
    await issuer.rotate()
    vi.setSystemTime(Date.now() + 6000)
    expect(await enter(await issuer.sign())).toMatchObject({ tenant: 'default' })
  } finally {
    vi.useRealTimers()
  }
})

test('while an issuer is away its good tokens come in by the keys that are kept, whoever forges some', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  try {
    const { enter } = await open()
    const exp = seconds() + 3600
    await enter(await issuer.sign({ exp }))
    issuer.behave('fails')
    // Long enough that a key nobody knows is asked for.
    vi.advanceTimersByTime(40_000)
    const forged = await issuer.sign({ exp }, { kid: 'forged' })
    await expect(enter(forged)).rejects.toMatchObject({ code: 'upstream_failed' })
    expect(await enter(await issuer.sign({ exp, jti: 'new' }))).toMatchObject({ tenant: 'default' })
    await expect(enter(forged)).rejects.toMatchObject({ code: 'upstream_failed' })
    vi.advanceTimersByTime(600_000)
    const late = await issuer.sign({ exp, jti: 'late' })
    await expect(enter(late)).rejects.toMatchObject({ code: 'upstream_failed' })
    issuer.behave('well')
    vi.advanceTimersByTime(10_000)
    expect(await enter(late)).toMatchObject({ tenant: 'default' })
  } finally {
    vi.useRealTimers()
  }
})

test.each(['fails', 'floods', 'lies'] as const)(
  'an issuer that %s is told as such, and left alone for a while',
  async (manner) => {
    const { enter } = await open()
    issuer.behave(manner)
    await expect(enter(await issuer.sign())).rejects.toMatchObject({ code: 'upstream_failed' })
    const asked = issuer.requests.length
    await expect(enter(await issuer.sign({ jti: 2 }))).rejects.toMatchObject({
      code: 'upstream_failed',
    })
    expect(issuer.requests.length).toBe(asked)
  },
)

test('whoever sets an issuer up reads in the log why good signatures are not enough, once', async () => {
  const { enter } = await open()
  for (let time = 0; time < 2; time += 1) {
    expect(await enter(await issuer.sign({ aud: 'api://crib', jti: time }))).toBeUndefined()
    const nameless = enter(await issuer.sign({ email: undefined, jti: time }))
    await expect(nameless).rejects.toMatchObject({ code: 'forbidden' })
    expect(await enter(await issuer.sign({ jti: time }, { typ: 'id+jwt' }))).toBeUndefined()
  }
  expect(warnings).toEqual([
    expect.stringContaining(`issued a token for "api://crib"`),
    expect.stringContaining('has no claim email'),
    expect.stringContaining('of the type "id+jwt"'),
  ])
  // Nobody's word but an issuer's own comes into the log.
  const { issuer: iss } = issuer
  const forged = new SignJWT({ iss, sub: 'a', aud: 'x\nforged', exp: seconds() + 60 })
  const secret = new TextEncoder().encode('a secret that nobody gave')
  expect(
    await enter(await forged.setProtectedHeader({ alg: 'HS256' }).sign(secret)),
  ).toBeUndefined()
  expect(warnings).toHaveLength(3)
})

test('the same caller is given again while nothing has changed, to each door its own', async () => {
  const { api } = await open()
  const token = await issuer.sign()
  const first = await api.authenticate(token, 'mcp')
  expect(await api.authenticate(token, 'mcp')).toBe(first)
  expect((await api.authenticate(token, 'api'))?.runtime).toBe('api')
})
