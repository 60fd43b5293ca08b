import { expect, test } from 'vitest'
import type { Member } from '../../../core/people/member.ts'
import type { Tenant } from '../../../core/rules/tenant.ts'
import { createFakeApi, json } from '../testing/fake-api.ts'
import { runLine } from '../testing/run-line.ts'

const createdAt = '2026-11-01T00:00:00.000Z'
const acme: Tenant = {
  slug: 'acme',
  name: 'Acme Ltd',
  status: 'suspended',
  reason: 'not paid',
  isDeclared: false,
  createdAt,
}
const ada: Member = {
  id: 'mem_1',
  tenant: 'default',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'operator',
  permissions: ['billing.refund'],
  status: 'active',
  createdAt,
}

test('tenants are listed with their state, and shown with all that is known', async () => {
  const fixed: Tenant = { slug: 'b', name: 'B', status: 'active', isDeclared: true, createdAt }
  const api = createFakeApi({
    'GET /tenants': () => json({ items: [acme, fixed] }),
    'GET /tenants/acme': () => json(acme),
  })
  const list = await runLine(['tenants'], api)
  expect(list.out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['slug', 'name', 'state', 'created'],
    ['acme', 'Acme Ltd', 'suspended: not paid', '2026-11-01'],
    ['b', 'B', 'active', 'declared'],
    [''],
  ])
  expect(JSON.parse((await runLine(['tenants', '--json'], api)).out)).toEqual({
    items: [acme, fixed],
  })
  expect((await runLine(['tenants', 'show', 'acme'], api)).out).toBe(
    'acme\nname     Acme Ltd\nstate    suspended: not paid\ncreated  2026-11-01\n',
  )
})

test('a tenant is made, renamed, suspended and resumed', async () => {
  const api = createFakeApi({
    'POST /tenants': () => json(acme, 201),
    'PATCH /tenants/acme': () => json(acme),
  })
  const made = await runLine(['tenants', 'create', 'acme', '--name', 'Acme Ltd'], api)
  expect(made.out).toBe('✓ Created acme\n→ toolcrib --tenant acme members add EMAIL --role owner\n')
  expect(api.last('/tenants')?.body).toEqual({ slug: 'acme', name: 'Acme Ltd' })
  const bodyOf = async (...words: string[]) => {
    expect((await runLine(['tenants', ...words], api)).code).toBe(0)
    return api.last('/tenants/acme')?.body
  }
  expect(await bodyOf('rename', 'acme', '--name', 'X')).toEqual({ name: 'X' })
  expect(await bodyOf('suspend', 'acme', '--reason', 'not paid')).toEqual({
    status: 'suspended',
    reason: 'not paid',
  })
  expect(await bodyOf('resume', 'acme')).toEqual({ status: 'active' })
  expect((await runLine(['tenants', 'rename', 'acme'], api)).code).toBe(2)
  expect((await runLine(['tenants', 'suspend'], api)).err).toBe(
    '✗ The slug is missing.\n→ Write toolcrib tenants suspend <slug>\n',
  )
})

test('a tenant is deleted only when its slug is given twice', async () => {
  const api = createFakeApi({ 'DELETE /tenants/acme': () => new Response(null, { status: 204 }) })
  const refused = await runLine(['tenants', 'delete', 'acme'], api)
  expect(refused).toEqual({
    code: 2,
    out: '',
    err: '✗ --confirm is missing.\n→ Write toolcrib tenants delete <slug> --confirm SLUG\n',
  })
  const done = await runLine(['tenants', 'delete', 'acme', '--confirm', 'acme'], api)
  expect(done).toEqual({
    code: 0,
    out: '✓ Deleted acme\n',
    err: '! No server is running here. Its data is removed while one is: toolcrib start\n',
  })
  expect(api.last('/tenants/acme')?.query).toEqual({ confirm: 'acme' })
})

test('members are listed, added and changed', async () => {
  const api = createFakeApi({
    'GET /members': () => json({ items: [ada] }),
    'POST /members': () => json(ada, 201),
    'PATCH /members/mem_1': () => json({ ...ada, status: 'suspended' }),
    'DELETE /members/mem_1': () => new Response(null, { status: 204 }),
  })
  const list = await runLine(['members'], api)
  expect(list.out).toContain('mem_1  Ada   ada@example.com  operator billing.refund  active')
  const words = ['members', 'add', 'ada@example.com', '--role', 'operator']
  const added = await runLine([...words, '--permission', 'a.b,c.d', '--permission', 'e.f'], api)
  expect(added.out).toBe('✓ mem_1 Ada is operator with billing.refund\n')
  expect(api.last('/members')?.body).toEqual({
    email: 'ada@example.com',
    role: 'operator',
    permissions: ['a.b', 'c.d', 'e.f'],
  })
  const changed = await runLine(['members', 'change', 'mem_1', '--suspend'], api)
  expect(changed.out).toBe('✓ mem_1 Ada is operator with billing.refund, suspended\n')
  expect(api.last('/members/mem_1')?.body).toEqual({ status: 'suspended' })
  await runLine(['members', 'change', 'mem_1', '--no-permissions', '--resume'], api)
  expect(api.last('/members/mem_1')?.body).toEqual({ status: 'active', permissions: [] })
  expect((await runLine(['members', 'change', 'mem_1'], api)).code).toBe(2)
  expect((await runLine(['members', 'change', 'mem_1', '--suspend', '--resume'], api)).code).toBe(2)
  expect((await runLine(['members', 'remove', 'mem_1'], api)).out).toBe('✓ Removed mem_1\n')
})

test('a hostile name can not steer the terminal', async () => {
  const evil = { ...ada, name: 'A\u001b[2Jda\nx' }
  const api = createFakeApi({ 'GET /members/mem_1': () => json(evil) })
  const { out } = await runLine(['members', 'show', 'mem_1'], api)
  expect(out).not.toContain('\u001b')
  expect(out.split('\n')[0]).toMatch(/^A.*da.*x$/)
})

test('whoami shows the principal of the key, and its tenant', async () => {
  const me = {
    principal: { kind: 'user', id: 'owner' },
    tenant: 'acme',
    home: 'default',
    permissions: ['*'],
    role: 'owner',
  }
  const seen: (string | null)[] = []
  const api = createFakeApi({ 'GET /me': () => json(me) })
  const fetch: typeof api.fetch = (url, init) => {
    seen.push(new Headers(init?.headers).get('toolcrib-tenant'))
    return api.fetch(url, init)
  }
  const line = await runLine(['whoami', '--tenant', 'acme'], { ...api, fetch })
  expect(line.out).toBe(
    'user:owner\ntenant       acme (of default)\nrole         owner\npermissions  *\n',
  )
  await runLine(['--tenant', 'acme', 'whoami'], { ...api, fetch })
  await runLine(['whoami'], { ...api, fetch })
  expect(seen).toEqual(['acme', 'acme', null])
})
