import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createFakeApi, json, toolOf } from '../testing/fake-api.ts'
import { runLine } from '../testing/run-line.ts'

const key = {
  id: 'key_1',
  tenant: 'default',
  name: 'ci',
  scopes: ['tools.call'],
  createdAt: '2026-11-01T00:00:00Z',
}

interface PackageJson {
  dependencies: { toolcrib: string }
}

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'crib-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('a key is created with scopes and expiry, and stdout has its token alone', async () => {
  const api = createFakeApi({ 'POST /keys': () => json({ key, token: 'crib_1_secret' }, 201) })
  const argv = [
    'keys',
    'create',
    '--name',
    'ci',
    '--scope',
    'tools.call,calls.read',
    '--scope',
    'events.*',
    '--expires',
    '30d',
  ]
  const line = await runLine(argv, api)
  expect(line).toEqual({
    code: 0,
    out: 'crib_1_secret\n',
    err: '✓ key_1 (ci)\n! The token is shown only once. Only a hash of it is stored.\n',
  })
  const { expiresAt, ...body } = (api.last('/keys')?.body ?? {}) as { expiresAt: string }
  expect(body).toEqual({ name: 'ci', scopes: ['tools.call', 'calls.read', 'events.*'] })
  expect(Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000)).toBe(30)
  expect((await runLine(['keys', 'create', '--name', 'ci'], api)).code).toBe(2)
  expect((await runLine([...argv.slice(0, -1), 'soon'], api)).code).toBe(2)
})

test('keys are listed with their state, and revoked by id', async () => {
  const items = [
    { ...key, lastUsedAt: '2026-11-02T00:00:00Z' },
    { ...key, id: 'key_2', agent: 'support', expiresAt: '2020-01-01T00:00:00Z' },
    { ...key, id: 'key_3', revokedAt: '2026-01-01T00:00:00Z' },
  ]
  const api = createFakeApi({
    'GET /keys': () => json({ items }),
    'DELETE /keys/key_3': () => new Response(null, { status: 204 }),
  })
  expect((await runLine(['keys'], api)).out.split('\n')).toEqual([
    'id     name  scopes      agent    last used   state',
    'key_1  ci    tools.call           2026-11-02  live',
    'key_2  ci    tools.call  support  never       expired 2020-01-01',
    'key_3  ci    tools.call           never       revoked 2026-01-01',
    '',
  ])
  expect(await runLine(['keys', 'revoke', 'key_3'], api)).toEqual({
    code: 0,
    out: '✓ Revoked key_3\n',
    err: '',
  })
  expect((await runLine(['keys', 'revoke', 'key_9'], api)).code).toBe(4)
})

test('a rotated key prints only its new token on stdout, and shows how long the old one works', async () => {
  const oldSecretUntil = '2026-11-01T01:00:00Z'
  const api = createFakeApi({
    'POST /keys/key_1/rotate': ({ body }) => {
      const isOverlapping = (body as { overlapSeconds?: number }).overlapSeconds === 3600
      const until = isOverlapping ? { oldSecretUntil } : {}
      return json({ key: { ...key, ...until }, token: 'crib_1_other', warnings: ['Look.'] })
    },
  })
  const head = '✓ key_1 (ci)\n! The token is shown only once. Only a hash of it is stored.\n'
  const run = (...more: string[]) => runLine(['keys', 'rotate', 'key_1', ...more], api)
  expect(await run('--overlap', '1h')).toEqual({
    code: 0,
    out: 'crib_1_other\n',
    err: `${head}! The old token works until ${oldSecretUntil}.\n! Look.\n`,
  })
  expect((await run()).err).toBe(`${head}! The old token no longer works.\n! Look.\n`)
  expect((await run('key_2')).code).toBe(2)
  expect((await runLine(['keys', 'rotate'], api)).code).toBe(2)
})

const summary = { name: 'stripe_key', version: 2, updatedAt: '2026-11-01T00:00:00Z' }

test.each([
  { from: 'stdin', words: [], options: { stdin: 'sk_1\n' }, err: '' },
  { from: 'a variable', words: ['--from-env', 'KEY'], options: { env: { KEY: 'sk_1' } }, err: '' },
  {
    from: 'the line, with a warning',
    words: ['--value', 'sk_1'],
    options: {},
    err: '! A value on the command line can be seen by others and stays in the shell history.\n',
  },
])('a secret is set from $from and never printed', async ({ words, options, err }) => {
  const api = createFakeApi({ 'PUT /secrets/stripe_key': () => json(summary) })
  const line = await runLine(['secrets', 'set', 'stripe_key', ...words], { ...api, ...options })
  expect(line).toEqual({ code: 0, out: '✓ stripe_key is set (version 2)\n', err })
  expect(api.last('/secrets/stripe_key')?.body).toEqual({ value: 'sk_1' })
})

test('on a terminal a secret is asked for and not echoed', async () => {
  const api = createFakeApi({ 'PUT /secrets/stripe_key': () => json(summary) })
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  stdin.write('sk_typed\r')
  const { code, out, err } = await runLine(['secrets', 'set', 'stripe_key'], {
    ...api,
    more: { stdin },
  })
  expect({ code, err }).toEqual({ code: 0, err: 'Value of stripe_key: \n' })
  expect(out).not.toContain('sk_typed')
  expect(api.last('/secrets/stripe_key')?.body).toEqual({ value: 'sk_typed' })
})

test('an empty secret is refused before anything is sent', async () => {
  expect((await runLine(['secrets', 'set', 'x'], { stdin: '\n' })).code).toBe(2)
  expect((await runLine(['secrets', 'set', 'x', '--from-env', 'NOT_SET'])).code).toBe(2)
  expect((await runLine(['secrets', 'set'])).code).toBe(2)
})

test('secrets are listed without values, and deleted by name and agent', async () => {
  const api = createFakeApi({
    'GET /secrets': () =>
      json({ items: [{ ...summary, usedBy: ['billing.refund', 'billing.find'] }] }),
    'DELETE /secrets/stripe_key': () => new Response(null, { status: 204 }),
  })
  expect((await runLine(['secrets'], api)).out.split('\n')).toEqual([
    'name        agent  version  written     expires  used by',
    'stripe_key               2  2026-11-01           billing.refund, billing.find',
    '',
  ])
  expect((await runLine(['secrets', 'delete', 'stripe_key', '--agent', 'support'], api)).code).toBe(
    0,
  )
  expect(api.last('/secrets/stripe_key')?.query).toEqual({ agent: 'support' })
})

test('init writes a starter and never overwrites', async () => {
  const cwd = await freshFolder()
  await writeFile(join(cwd, '.gitignore'), 'mine\n')
  const first = await runLine(['init', '--json'], { cwd })
  expect(JSON.parse(first.out)).toEqual({
    folder: cwd,
    written: [
      'package.json',
      'tsconfig.json',
      'toolcrib.config.ts',
      'tools/hello.tool.ts',
      'tools/hello.test.ts',
      '.env.example',
      'README.md',
    ],
    kept: ['.gitignore'],
  })
  expect(await readFile(join(cwd, '.gitignore'), 'utf8')).toBe('mine\n')
  expect(await readFile(join(cwd, 'tools/hello.tool.ts'), 'utf8')).toContain("name: 'hello.greet'")
  const second = await runLine(['init'], { cwd })
  expect(second.code).toBe(0)
  expect(second.out).toContain('= tools/hello.tool.ts was there and stays')
  expect(second.out).toContain('→ Add .toolcrib/ to your .gitignore')
  await writeFile(join(cwd, '.gitignore'), 'mine\n/.toolcrib\n')
  expect((await runLine(['init'], { cwd })).out).not.toContain('→ Add .toolcrib/')
  const inside = await runLine(['init', 'new place'], { cwd })
  expect(inside.out).toContain('+ toolcrib.config.ts')
  expect((await runLine(['init', 'README.md'], { cwd })).code).toBe(2)
})

test('init in a checkout depends on that checkout, because npm does not have it', async () => {
  const parent = await realpath(await freshFolder())
  await mkdir(join(parent, 'a checkout'))
  await mkdir(join(parent, 'deeper/real'), { recursive: true })
  await symlink(join(parent, 'deeper/real'), join(parent, 'linked'))
  const dependencyIn = async (folder: string) =>
    (JSON.parse(await readFile(join(parent, folder, 'package.json'), 'utf8')) as PackageJson)
      .dependencies.toolcrib
  const init = (target: string, isBuilt: boolean) => {
    const checkout = { folder: join(parent, 'a checkout'), isBuilt }
    return runLine(['init', target], { cwd: parent, more: { checkout } })
  }
  const { out } = await init('mine', true)
  expect(await dependencyIn('mine')).toBe('file:../a checkout')
  expect(out).toContain('\n  npm install   ')
  expect(out).not.toContain('run build')
  const unbuilt = await init('linked', false)
  expect(await dependencyIn('linked')).toBe('file:../../a checkout')
  expect(unbuilt.out).toContain(`\n  npm --prefix '../../a checkout' run build  builds the package`)
  await runLine(['init', 'published'], { cwd: parent })
  expect(await dependencyIn('published')).toBe('^1.2.3')
  const again = await init('mine', true)
  expect(again.out).toContain("\n  npm install '../a checkout'   ")
})

test.each(['bash', 'zsh', 'fish', 'powershell'])(
  'there is a completion script for %s that asks the program',
  async (shell) => {
    const { code, out } = await runLine(['completion', shell])
    expect(code).toBe(0)
    expect(out).toContain('toolcrib complete -- ')
  },
)

test('completion offers commands, options, tools and their flags, and is silent on failure', async () => {
  const api = createFakeApi({
    'GET /tools': () => json({ items: [toolOf(), toolOf({ name: 'calc.sub' })] }),
    'GET /tools/calc.add': () => json(toolOf()),
    'GET /agents': () => json({ items: [{ slug: 'support' }, { slug: 'sales' }] }),
  })
  const data = await freshFolder()
  await writeFile(
    join(data, 'server.json'),
    JSON.stringify({ url: 'http://127.0.0.1:9', key: 'k', pid: process.pid }),
  )
  const complete = async (...words: string[]) => {
    const { out } = await runLine(['complete', '--', ...words], {
      env: { TOOLCRIB_DATA: data },
      more: { fetch: api.fetch },
    })
    return out.trim().split('\n')
  }
  expect(await complete('e')).toEqual(['eval', 'events', 'explain'])
  expect(await complete('explain', '--agent', 'su')).toEqual(['support'])
  expect(await complete('tools', '--p')).toEqual(['--pack'])
  expect(await complete('call', 'calc.')).toEqual(['calc.add', 'calc.sub'])
  expect(await complete('call', 'calc.add', '--')).toEqual(
    expect.arrayContaining(['--a', '--b', '--json', '--timeout']),
  )
  expect(await complete('explain', '--tool', 'calc.s')).toEqual(['calc.sub'])
  expect(await complete('keys', 'r')).toEqual(['rotate', 'revoke'])
  expect(await complete('tools', '--pack', '')).toEqual([''])
  expect(await runLine(['complete', '--', 'call', ''], {})).toEqual({ code: 0, out: '', err: '' })
})

test('the tool mode of an agent is shown if it was set', async () => {
  const agent = {
    slug: 'support',
    model: 'demo',
    autonomy: 'standard',
    toolMode: 'search',
    tools: {},
    hooks: { confirm: [] },
    settings: {},
    skills: [],
    grants: [],
    warnings: [],
    updatedBy: { kind: 'user', id: 'owner' },
    updatedAt: '2026-11-01T00:00:00Z',
    version: 2,
  }
  const api = createFakeApi({ 'PATCH /agents/support': () => json(agent) })
  const { code, out } = await runLine(
    ['agents', 'set', 'support', '--input', '{"toolMode":"search"}'],
    api,
  )
  expect(code).toBe(0)
  expect(out).toMatch(/^tool mode +search$/m)
})
