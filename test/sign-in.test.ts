import { hash } from '@node-rs/argon2'
import { afterEach, describe, expect, test } from 'vitest'
import type { Crib } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { isToolError } from '../src/core/kernel/errors.ts'
import { createSignInStore } from '../src/features/sign-ins/store/sign-in-store.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'

const owner = ownerOf()
const password = 'correct horse battery'
const visitor = { address: '192.0.2.1', userAgent: 'Test' }
const codeOf = (error: unknown) => (isToolError(error) ? error.code : String(error))

let crib: Crib | undefined
let store: OpenStores
afterEach(() => crib?.close())

async function open(): Promise<Crib['api']> {
  store = await freshStore()
  const config = { tenants: [{ slug: 'acme', name: 'Acme' }] }
  crib = await createTestCrib({ store, config })
  return crib.api
}

const tokenIn = (path: string) => path.slice(path.indexOf('=') + 1)

/** Somebody who was invited and has joined, as a caller with a sign-in. */
async function join(api: Crib['api'], email: string, role: string): Promise<Caller> {
  const { url } = await api.createInvitation(owner, { email, role })
  const given = { token: tokenIn(url), name: 'Ada', password }
  const { token } = await api.acceptInvitation(given, visitor)
  return callerOf(api, token)
}

async function callerOf(api: Crib['api'], token: string): Promise<Caller> {
  const caller = await api.findSignedIn(token)
  if (caller === undefined) throw new Error('There is no such sign-in')
  return caller
}

async function byLink(api: Crib['api'], member?: string): Promise<Caller> {
  const { url } = await api.createSignInLink(owner, { member })
  return callerOf(api, (await api.signInByLink(tokenIn(url), visitor)).token)
}

async function keyed(api: Crib['api'], scopes: string[]): Promise<Caller> {
  const { token } = await api.createKey(owner, { name: 'k', scopes })
  const caller = await api.authenticate(token, 'api')
  if (caller === undefined) throw new Error('The key is not known')
  return caller
}

describe('nobody lets in more than they are', () => {
  test('an admin invites no owner and makes no link for one, an owner does', async () => {
    const api = await open()
    const admin = await join(api, 'admin@example.com', 'admin')
    const invite = (caller: Caller, role: string) =>
      api.createInvitation(caller, { email: 'x@example.com', role }).then(() => 'made', codeOf)
    expect(await invite(admin, 'admin')).toBe('made')
    expect(await invite(admin, 'owner')).toBe('forbidden')
    expect(await invite(await byLink(api), 'owner')).toBe('made')
    const link = (caller: Caller, member?: string) =>
      api.createSignInLink(caller, { member }).then(() => 'made', codeOf)
    expect(await link(admin, 'owner')).toBe('forbidden')
    expect(await link(admin)).toBe('forbidden')
    expect(await link(admin, admin.principal.id)).toBe('made')
  })

  test('nobody signs out who holds more, nor takes back their invitation', async () => {
    const api = await open()
    const admin = await join(api, 'ada@example.com', 'admin')
    const chief = await byLink(api, (await join(api, 'bea@example.com', 'owner')).principal.id)
    const asked = { member: chief.principal.id }
    const { invitation } = await api.createInvitation(owner, {
      email: 'cy@example.com',
      role: 'owner',
    })
    const key = await keyed(api, ['members.manage', 'tools.call', 'agents.chat'])
    for (const caller of [admin, key, await keyed(api, ['*'])]) {
      expect(await api.endSignIns(caller, asked).catch(codeOf)).toBe('forbidden')
      expect(await api.endSignIn(caller, { id: chief.signInId ?? '' }).catch(codeOf)).toBe(
        'forbidden',
      )
      expect(await api.revokeInvitation(caller, { id: invitation.id }).catch(codeOf)).toBe(
        'forbidden',
      )
    }
    expect(await api.endSignIns(key, { member: admin.principal.id }).catch(codeOf)).toBe(
      'forbidden',
    )
    expect(await api.endSignIns(admin, {})).toEqual({ ended: 1 })
    expect((await api.listSignIns(chief)).items).toHaveLength(2)
    expect(await api.endSignIns(owner, asked)).toEqual({ ended: 2 })
  })

  test('a key that manages members gives nothing that it does not hold', async () => {
    const api = await open()
    const member = await join(api, 'm@example.com', 'member')
    const key = await keyed(api, ['members.manage'])
    const invite = (role: string, permissions?: string[]) =>
      api
        .createInvitation(key, { email: 'x@example.com', role, permissions })
        .then(() => 'made', codeOf)
    expect(await invite('admin')).toBe('forbidden')
    expect(await invite('member')).toBe('forbidden')
    expect(await invite('no-such-role')).toBe('invalid_request')
    const { id } = member.principal
    expect(await api.createSignInLink(key, { member: id }).then(() => 'made', codeOf)).toBe(
      'forbidden',
    )
    const wide = await keyed(api, ['members.manage', 'tools.call', 'agents.chat'])
    const made = await api.createInvitation(wide, { email: 'y@example.com', role: 'member' })
    expect(made.invitation).toMatchObject({ role: 'member', invitedBy: `key:${wide.principal.id}` })
  })

  test('who may not manage members sees their own sign-ins and no others', async () => {
    const api = await open()
    const ada = await join(api, 'ada@example.com', 'member')
    const bob = await join(api, 'bob@example.com', 'member')
    expect(await api.listSignIns(ada)).toMatchObject({
      items: [{ id: ada.signInId, isCurrent: true }],
    })
    const asked = { member: bob.principal.id }
    expect(await api.listSignIns(ada, asked).catch(codeOf)).toBe('forbidden')
    expect(await api.endSignIns(ada, asked).catch(codeOf)).toBe('forbidden')
    const refusals = [bob.signInId ?? '', 'ses_0'].map((id) =>
      api.endSignIn(ada, { id }).catch((error: Error) => error.message.replace(id, 'ID')),
    )
    expect(new Set(await Promise.all(refusals))).toEqual(new Set(['There is no sign-in "ID"']))
    expect(await api.endSignIns(await byLink(api), asked)).toEqual({ ended: 1 })
    for (const attempt of [
      api.listInvitations(ada),
      api.revokeInvitation(ada, { id: 'inv_1' }),
      api.createInvitation(ada, { email: 'x@example.com', role: 'viewer' }),
      api.createSignInLink(ada, {}),
    ])
      expect(await attempt.catch(codeOf)).toBe('forbidden')
  })

  test('another tenant has other invitations, sign-ins and members', async () => {
    const api = await open()
    const { invitation } = await api.createInvitation(owner, {
      email: 'x@example.com',
      role: 'member',
    })
    const inAcme = await api.actIn(owner, 'acme')
    expect(await api.listInvitations(inAcme)).toEqual({ items: [] })
    expect(await api.revokeInvitation(inAcme, { id: invitation.id }).catch(codeOf)).toBe(
      'not_found',
    )
    expect(await api.createSignInLink(inAcme, {}).catch(codeOf)).toBe('not_found')
    const { url } = await api.createInvitation(inAcme, { email: 'x@acme.example', role: 'owner' })
    const given = { token: tokenIn(url), name: 'X', password }
    const opened = await api.acceptInvitation(given, visitor)
    expect((await api.findSignedIn(opened.token))?.tenant).toBe('acme')
    const signIn = (tenant?: string) =>
      api.signIn({ tenant, email: 'x@acme.example', password }, visitor).then(() => 'in', codeOf)
    expect([await signIn(), await signIn('acme'), await signIn('nowhere')]).toEqual([
      'sign_in_failed',
      'in',
      'sign_in_failed',
    ])
  })
})

describe('passwords', () => {
  test('the owner who came by a link sets an address and a password, and signs in with them', async () => {
    const api = await open()
    const self = await byLink(api)
    const set = (change: { password: string; email?: string }) =>
      api.changePassword(self, change).then(() => 'set', codeOf)
    expect(await set({ password })).toBe('invalid_request')
    expect(await set({ password: 'short', email: 'me@example.com' })).toBe('invalid_request')
    expect(await set({ password, email: 'me@example.com' })).toBe('set')
    expect(await api.signInMethods()).toMatchObject({ password: true })
    // Nothing of it in any event.
    const { items } = await api.readEvents(owner, { limit: 100 })
    expect(JSON.stringify(items)).not.toMatch(/argon2|correct horse/)
  })

  test('a sign-in that is no longer fresh needs the old password', async () => {
    const api = await open()
    const ada = await join(api, 'ada@example.com', 'member')
    const change = (current?: string) =>
      api.changePassword(ada, { current, password: 'another password' }).then(() => 'set', codeOf)
    expect(await change()).toBe('invalid_request')
    expect(await change('wrong wrong')).toBe('invalid_request')
    expect(await change(password)).toBe('set')
    const fresh = await byLink(api, ada.principal.id)
    await api.changePassword(fresh, { password: 'a third password' })
    expect(await api.findAccount(fresh)).toMatchObject({ hasPassword: true, needsPassword: false })
    const key = await keyed(api, ['*'])
    expect(await api.changePassword(key, { password }).catch(codeOf)).toBe('not_found')
  })

  test('a digest of other times is made anew at the next sign-in', async () => {
    const api = await open()
    const { principal } = await join(api, 'ada@example.com', 'member')
    const old = await hash(password, { memoryCost: 8192, timeCost: 1 })
    await createSignInStore(store.engine).people.setPassword('default', principal.id, {
      hash: old,
      by: principal,
    })
    const request = { email: 'ada@example.com', password }
    await api.signIn(request, visitor)
    const found = await store.members.findWithPassword('default', { id: principal.id })
    expect(found?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await api.signIn(request, visitor)).member.id).toBe(principal.id)
  })

  test('the same letters in another form of Unicode are the same password', async () => {
    const api = await open()
    const { url } = await api.createInvitation(owner, { email: 'u@example.com', role: 'member' })
    const given = { token: tokenIn(url), name: 'U', password: 'Übermorgen!' }
    await api.acceptInvitation(given, visitor)
    const request = { email: 'u@example.com', password: 'U\u0308bermorgen!' }
    expect((await api.signIn(request, visitor)).signIn.method).toBe('password')
  })

  test('an address nobody has and a wrong password are one answer, and both are told of', async () => {
    const api = await open()
    await join(api, 'ada@example.com', 'member')
    const answerTo = (email: string) =>
      api
        .signIn({ email, password: 'wrong wrong' }, visitor)
        .catch(({ code, message, fix }: { code: string; message: string; fix: string }) => [
          code,
          message,
          fix,
        ])
    expect(await answerTo('ada@example.com')).toEqual(await answerTo('nobody@example.com'))
    const { items } = await api.readEvents(owner, { types: ['member.sign_in_failed'], limit: 10 })
    expect(items.map(({ data }) => data)).toEqual(
      ['ada@example.com', 'nobody@example.com'].map((email) => ({
        email,
        method: 'password',
        address: '192.0.2.1',
      })),
    )
  })
})

describe('limits', () => {
  /** Tries until it is told to wait. A slow machine may get one more in between, each costs twice the time. */
  async function tryAll(
    attempt: (at: number) => Promise<unknown>,
    most: number,
  ): Promise<string[]> {
    const answers: string[] = []
    for (let at = 0; at < most && answers.at(-1) !== 'rate_limited'; at += 1) {
      answers.push(await attempt(at).then(() => 'in', codeOf))
    }
    return answers
  }

  test('an account that is tried too often has to wait', async () => {
    const api = await open()
    await join(api, 'ada@example.com', 'member')
    const wrong = { email: 'ada@example.com', password: 'wrong' }
    const answers = await tryAll(() => api.signIn(wrong, visitor), 14)
    expect(answers.slice(0, 6)).toEqual(Array<string>(6).fill('sign_in_failed'))
    expect(answers.at(-1)).toBe('rate_limited')
  })

  test('a blocked account keeps its link: nobody is locked out for good', async () => {
    const api = await open()
    const ada = await join(api, 'ada@example.com', 'member')
    await createSignInStore(store.engine).attempts.begin([
      { subject: 'account:default:ada@example.com', free: -20 },
    ])
    const right = { email: 'ada@example.com', password }
    expect(await api.signIn(right, visitor).catch(codeOf)).toBe('rate_limited')
    expect((await byLink(api, ada.principal.id)).principal).toEqual(ada.principal)
  })

  test('one address that tries many accounts has to wait, and others do not', async () => {
    const api = await open()
    const answers = await tryAll(
      (at) => api.signIn({ email: `nobody${at}@example.com`, password: 'wrong' }, visitor),
      40,
    )
    expect(answers.slice(0, 31)).toEqual(Array<string>(31).fill('sign_in_failed'))
    expect(answers.at(-1)).toBe('rate_limited')
    const request = { email: 'nobody@example.com', password: 'wrong' }
    const elsewhere = { address: '198.51.100.7' }
    expect(await api.signIn(request, elsewhere).catch(codeOf)).toBe('sign_in_failed')
  })
})

test('of two who accept one invitation at once, one joins', async () => {
  const api = await open()
  const { url } = await api.createInvitation(owner, { email: 'two@example.com', role: 'member' })
  const accept = (name: string) =>
    api.acceptInvitation({ token: tokenIn(url), name, password }, visitor).then(() => 'in', codeOf)
  expect((await Promise.all([accept('A'), accept('B')])).toSorted()).toEqual([
    'in',
    'sign_in_failed',
  ])
})

test('whoever was made a member since the invitation is told to sign in', async () => {
  const api = await open()
  const email = 'x@example.com'
  const { url } = await api.createInvitation(owner, { email, role: 'member' })
  await api.createMember(owner, { email, role: 'viewer' })
  const accepting = api.acceptInvitation({ token: tokenIn(url), name: 'X', password }, visitor)
  await expect(accepting).rejects.toMatchObject({
    code: 'conflict',
    message: 'x@example.com is already a member',
  })
})

describe('a link is over when whoever made it may no longer let that person in', () => {
  const accept = (api: Crib['api'], url: string) =>
    api
      .acceptInvitation({ token: tokenIn(url), name: 'X', password }, visitor)
      .then(() => 'joined', codeOf)

  test('invitations end with the demotion, suspension or removal of the inviter, and with its key', async () => {
    const api = await open()
    const invite = (by: Caller, email: string) =>
      api.createInvitation(by, { email, role: 'admin' }).then(({ url }) => url)
    const admin = await join(api, 'admin@example.com', 'admin')
    const paths = [await invite(admin, 'a@example.com'), await invite(admin, 'b@example.com')]
    const [first = '', second = ''] = paths
    await api.changeMember(owner, { id: admin.principal.id, role: 'operator' })
    expect(await accept(api, first)).toBe('sign_in_failed')
    await expect(api.findInvitation(tokenIn(first))).rejects.toMatchObject({
      code: 'sign_in_failed',
    })
    await api.changeMember(owner, { id: admin.principal.id, role: 'admin' })
    expect(await accept(api, first)).toBe('joined')
    await api.removeMember(owner, { id: admin.principal.id })
    expect(await accept(api, second)).toBe('sign_in_failed')
    const key = await keyed(api, ['*'])
    const byKey = await invite(key, 'c@example.com')
    await api.revokeKey(owner, { id: key.principal.id })
    expect(await accept(api, byKey)).toBe('sign_in_failed')
  })

  test('an operator invites into another tenant for as long as they manage tenants', async () => {
    const api = await open()
    const operator = await join(api, 'operator@example.com', 'admin')
    const acting = await api.actIn(operator, 'acme')
    const invite = (email: string) => api.createInvitation(acting, { email, role: 'owner' })
    const [kept, lost] = [await invite('a@example.com'), await invite('b@example.com')]
    expect(await accept(api, kept.url)).toBe('joined')
    await api.removeMember(owner, { id: operator.principal.id })
    expect(await accept(api, lost.url)).toBe('sign_in_failed')
  })

  test('an admin does not become an owner by a link that was made for somebody before', async () => {
    const api = await open()
    const admin = await join(api, 'admin@example.com', 'admin')
    const { id } = (await join(api, 'm@example.com', 'member')).principal
    const { url } = await api.createSignInLink(admin, { member: id })
    await api.changeMember(owner, { id, role: 'owner' })
    const enter = () => api.signInByLink(tokenIn(url), visitor).then(() => 'in', codeOf)
    expect(await enter()).toBe('sign_in_failed')
    await api.changeMember(owner, { id, role: 'member' })
    expect(await enter()).toBe('in')
  })
})

test('an invitation that was withdrawn is as one that never was', async () => {
  const api = await open()
  const made = await api.createInvitation(owner, { email: 'x@example.com', role: 'member' })
  expect(await api.listInvitations(owner)).toEqual({ items: [made.invitation] })
  expect(JSON.stringify(made.invitation)).not.toContain(tokenIn(made.url))
  await api.revokeInvitation(owner, { id: made.invitation.id })
  const answers = [tokenIn(made.url), 'never'].map((token) =>
    api
      .findInvitation(token)
      .catch(({ code, message }: { code: string; message: string }) => [code, message]),
  )
  const [withdrawn, never] = await Promise.all(answers)
  expect(withdrawn).toEqual(never)
  expect(await api.listInvitations(owner)).toEqual({ items: [] })
})

test('while a tenant is suspended its members are told so, and stay signed in when it is resumed', async () => {
  const api = await open()
  await api.createTenant(owner, { slug: 'other' })
  const inOther = await api.actIn(owner, 'other')
  const invite = async (email: string) =>
    tokenIn((await api.createInvitation(inOther, { email, role: 'member' })).url)
  const name = 'Ada'
  const token = await invite('ada@example.com')
  const opened = await api.acceptInvitation({ token, name, password }, visitor)
  const later = await invite('bob@example.com')
  await api.changeTenant(owner, { slug: 'other', status: 'suspended' })
  expect(await api.findSignedIn(opened.token).catch(codeOf)).toBe('tenant_suspended')
  const request = { tenant: 'other', email: 'ada@example.com', password }
  expect(await api.signIn(request, visitor).catch(codeOf)).toBe('tenant_suspended')
  const accepting = { token: later, name, password }
  expect(await api.acceptInvitation(accepting, visitor).catch(codeOf)).toBe('tenant_suspended')
  await api.changeTenant(owner, { slug: 'other', status: 'active' })
  expect((await api.findSignedIn(opened.token))?.tenant).toBe('other')
  expect((await api.acceptInvitation(accepting, visitor)).signIn.method).toBe('invitation')
})
