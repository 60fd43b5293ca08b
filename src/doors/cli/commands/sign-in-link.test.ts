import { expect, test } from 'vitest'
import { createFakeApi, json } from '../testing/fake-api.ts'
import { runLine } from '../testing/run-line.ts'

const url = 'http://127.0.0.1:4680/sign-in?token=abc'
const expiresAt = '2026-11-15T17:00:00.000Z'
const invitation = {
  id: 'inv_1',
  email: 'ada@example.com',
  role: 'member',
  permissions: [],
  invitedBy: 'user:owner',
  createdAt: '2026-11-15T16:00:00.000Z',
  expiresAt: '2026-11-22T16:00:00.000Z',
  state: 'pending',
}

test('stdout has the link alone, so that it can be piped', async () => {
  const api = createFakeApi({
    'POST /sign-in-links': () => json({ member: 'mem_1', url, expiresAt }, 201),
  })
  const line = await runLine(['sign-in-link', '--member', 'mem_1'], api)
  expect([line.code, line.out]).toEqual([0, `${url}\n`])
  expect(line.err).toContain(`✓ for mem_1, once, until ${expiresAt}\n`)
  expect(api.last('/sign-in-links')?.body).toEqual({ member: 'mem_1' })
})

test('somebody is invited, listed and uninvited again', async () => {
  const api = createFakeApi({
    'POST /invitations': () => json({ invitation, url }, 201),
    'GET /invitations': () => json({ items: [invitation] }),
    'DELETE /invitations/inv_1': () => new Response(null, { status: 204 }),
  })
  const argv = ['members', 'invite', 'ada@example.com', '--permission', 'billing.refund']
  const made = await runLine(argv, api)
  expect([made.code, made.out]).toEqual([0, `${url}\n`])
  expect(made.err).toContain('It works until 2026-11-22.')
  expect(api.last('/invitations')?.body).toEqual({
    email: 'ada@example.com',
    role: 'member',
    permissions: ['billing.refund'],
  })
  const listed = await runLine(['members', 'invitations'], api)
  expect(listed.out).toContain('inv_1')
  expect(listed.out).toContain('until 2026-11-22')
  expect((await runLine(['members', 'uninvite', 'inv_1'], api)).out).toBe('✓ Revoked inv_1\n')
  expect((await runLine(['members', 'invite'], api)).code).toBe(2)
  expect((await runLine(['members', 'uninvite'], api)).code).toBe(2)
})
