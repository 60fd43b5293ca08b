import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeApi, json, problem } from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crib vault '))
})
afterEach(() => rm(folder, { recursive: true }))

const summary = { version: 1, updatedAt: '2026-11-01T00:00:00Z' }
const need = (name: string, more: object = {}) => ({
  name,
  optional: false,
  requiredBy: ['billing.refund'],
  isSet: false,
  agents: [],
  ...more,
})

function secretsApi() {
  return createFakeApi({
    'GET /secrets': () =>
      json({
        items: [],
        requirements: [need('stripe_key'), need('smtp.host', { optional: true })],
      }),
    'PUT /secrets/stripe_key': () => json({ name: 'stripe_key', ...summary }),
    'PUT /secrets/smtp.host': () =>
      problem({ status: 422, code: 'invalid_input', detail: 'It is too short' }),
    'PUT /secrets/other': () => json({ name: 'other', ...summary }),
  })
}

const envFile =
  'A_STRIPE_KEY="sk_live_4242" # x\nA_OTHER=value of other\nA_SMTP_HOST=s\nA_EMPTY=\nB=1\n'

test('import writes what tools declare, from a file with a prefix, and shows names alone', async () => {
  await writeFile(join(folder, '.env'), envFile)
  const api = secretsApi()
  const argv = ['secrets', 'import', '--env-file', '.env', '--prefix', 'A_']
  const dry = await runLine([...argv, '--dry-run'], { ...api, cwd: folder })
  expect(dry).toEqual({
    code: 0,
    out: 'Nothing was written.\n',
    err: [
      '– A_EMPTY is empty',
      '– A_OTHER: no tool requires it (--all writes it anyway)',
      '  A_SMTP_HOST → smtp.host',
      '  A_STRIPE_KEY → stripe_key',
      '',
    ].join('\n'),
  })
  expect(api.seen.filter(({ method }) => method === 'PUT')).toEqual([])
  const line = await runLine(argv, { ...api, cwd: folder })
  expect([line.code, line.out]).toEqual([
    1,
    '✗ smtp.host: It is too short\n✓ stripe_key is set (version 1)\n',
  ])
  expect(api.last('/secrets/stripe_key')?.body).toEqual({ value: 'sk_live_4242' })
  expect(`${line.out}${line.err}`).not.toContain('sk_live_4242')
  const all = await runLine([...argv, '--all', '--json'], { ...api, cwd: folder })
  expect(JSON.parse(all.out)).toEqual({
    items: [
      { variable: 'A_EMPTY', name: 'empty', status: 'empty' },
      { variable: 'A_OTHER', name: 'other', status: 'written', version: 1 },
      { variable: 'A_SMTP_HOST', name: 'smtp.host', status: 'refused', message: 'It is too short' },
      { variable: 'A_STRIPE_KEY', name: 'stripe_key', status: 'written', version: 1 },
    ],
  })
})

test('import takes named variables of the environment, and asks who sits there', async () => {
  const api = secretsApi()
  const argv = ['secrets', 'import', '--from-env', 'STRIPE_KEY']
  const env = { STRIPE_KEY: 'sk_live_4242' }
  expect((await runLine(argv, { ...api, env })).out).toBe('✓ stripe_key is set (version 1)\n')
  const stdin = Object.assign(new PassThrough(), { isTTY: true }).end('n\n')
  const asked = await runLine(argv, { ...api, env, more: { stdin } })
  expect([asked.out, asked.err]).toEqual([
    'Nothing was written.\n',
    '  STRIPE_KEY → stripe_key\nWrite 1 secret? [y/N] ',
  ])
  expect((await runLine([...argv, 'MISSING'], { ...api, env })).code).toBe(2)
  expect((await runLine(['secrets', 'import'], api)).code).toBe(2)
  expect((await runLine(['secrets', 'import', '--env-file', 'no'], api)).code).toBe(4)
})

test('a secret is tested, and the list shows missing ones', async () => {
  const tests: Record<string, object> = {
    good: { name: 'good', status: 'good', checkedBy: ['crm.find'] },
    bad: { name: 'bad', status: 'bad', message: '401', checkedBy: ['crm.find'] },
    none: { name: 'none', status: 'unchecked', message: 'No check for none', checkedBy: [] },
  }
  const routes = Object.entries(tests).map(([name, answer]) => [
    `POST /secrets/${name}/test`,
    () => json(answer),
  ])
  const api = createFakeApi(Object.fromEntries(routes))
  const run = async (name: string) => {
    const { code, out } = await runLine(['secrets', 'test', name], api)
    return [code, out]
  }
  expect(await run('good')).toEqual([0, '✓ good is good (crm.find)\n'])
  expect(await run('bad')).toEqual([1, '✗ bad: 401 (crm.find)\n'])
  expect(await run('none')).toEqual([0, '– No check for none\n'])
  expect((await runLine(['secrets'], secretsApi())).out).toContain(
    '! stripe_key is missing: billing.refund\n',
  )
  expect((await runLine(['secrets', 'set', 'a', 'b'], api)).code).toBe(2)
})

const step = (moved: number, left: number, hasBegun = false) => ({
  keyId: 'k2',
  hasBegun,
  moved: { secrets: moved, inputs: 0 },
  left: { secrets: left, inputs: 0 },
  isDone: left === 0,
})

test('a rotation goes step by step until nothing is left', async () => {
  const steps = [step(1000, 700, true), step(700, 0)]
  const api = createFakeApi({ 'POST /keyring/rotate': () => json(steps.shift()) })
  await writeFile(join(folder, 'new.key'), 'k2:abc\n')
  const line = await runLine(['keyring', 'rotate', '--key-file', 'new.key'], {
    ...api,
    cwd: folder,
  })
  expect(line).toEqual({
    code: 0,
    out: '✓ k2 is in use; 1700 secrets and 0 inputs moved\n→ Keep a copy of the new key. toolcrib keyring drop <id> removes the old one.\n',
    err: '',
  })
  expect(api.seen.map(({ body }) => body)).toEqual([{ key: 'k2:abc' }, { resume: true }])
})

test('a master key does not travel over plain http to another machine', async () => {
  const api = createFakeApi({ 'POST /keyring/rotate': () => json(step(0, 0, true)) })
  const run = (url: string, args: string[]) =>
    runLine(['keyring', 'rotate', '--url', url, ...args], {
      env: { TOOLCRIB_KEY: 'crib_x', NEW: 'k2:abc' },
      more: { fetch: api.fetch },
    })
  expect((await run('http://crib.example.com', ['--key-env', 'NEW'])).code).toBe(2)
  expect(api.seen).toEqual([])
  expect((await run('https://crib.example.com', ['--key-env', 'NEW'])).code).toBe(0)
  expect((await run('http://127.0.0.1:4680', ['--key-env', 'NEW'])).code).toBe(0)
  expect((await run('http://crib.example.com', [])).code).toBe(0)
})

test('the ring is shown with what is sealed under each key, and old keys are dropped', async () => {
  const use = { isHeld: true, pepper: false, inputs: 0, missingOn: [] }
  const keys = [
    { id: 'k2', isActive: true, secrets: 3, ...use },
    { id: 'k1', isActive: false, secrets: 0, ...use, missingOn: ['node1'] },
    { id: 'k3', isActive: false, secrets: 0, ...use },
  ]
  const api = createFakeApi({
    'GET /keyring': () => json({ activeId: 'k2', nextId: 'k3', place: '/data/master.key', keys }),
    'DELETE /keyring/k1': () => json({ isGone: false }),
  })
  expect((await runLine(['keyring'], api)).out.split('\n')).toEqual([
    'key  state                secrets  inputs  missing on',
    'k2   in use                     3       0',
    'k1   opens older secrets        0       0  node1',
    'k3   waits for rotate           0       0',
    'kept in /data/master.key',
    '',
  ])
  expect((await runLine(['keyring', 'drop', 'k1'], api)).out).toContain('k1 is no longer used')
  expect((await runLine(['keyring', 'drop'], api)).code).toBe(2)
})

test('note sets the description and expiry of a secret, and clears both', async () => {
  const bodies: unknown[] = []
  const api = createFakeApi({
    'PATCH /secrets/stripe_key': ({ body }) => {
      bodies.push(body)
      return json({ name: 'stripe_key', ...summary, expiresAt: '2030-01-31T00:00:00Z' })
    },
  })
  const note = (...more: string[]) => runLine(['secrets', 'note', 'stripe_key', ...more], api)
  const line = await note('--expires', '2030-01-31', '--description', 'The shop', '--agent', 'a')
  expect(line.out).toBe('✓ stripe_key expires 2030-01-31\n')
  await note('--expires', 'never', '--description', '-')
  expect(bodies).toEqual([
    { expiresAt: '2030-01-31T00:00:00.000Z', description: 'The shop', agent: 'a' },
    { expiresAt: null, description: null },
  ])
  expect((await note()).code).toBe(2)
  expect((await note('--expires', 'soon')).code).toBe(2)
})
