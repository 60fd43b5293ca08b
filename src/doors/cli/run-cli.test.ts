import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { ToolError } from '../../core/kernel/errors.ts'
import { createFakeApi, eventOf, json } from './testing/fake-api.ts'
import { runLine } from './testing/run-line.ts'

test('the version is the version alone', async () => {
  expect(await runLine(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' })
  expect(await runLine(['-V', '--json'])).toEqual({
    code: 0,
    out: '{"version":"1.2.3"}\n',
    err: '',
  })
})

test('help names every command; without a command the exit code is that of wrong usage', async () => {
  const help = await runLine(['--help'])
  expect(help.code).toBe(0)
  const commands = [
    'init',
    'dev',
    'start',
    'check',
    'tools',
    'call',
    'events',
    'explain',
    'labels',
    'keys',
    'secrets',
    'schedules',
    'limits',
  ]
  for (const name of [...commands, 'doctor', 'migrate', 'bench', 'completion']) {
    expect(help.out).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
  }
  expect(await runLine([])).toEqual({ ...help, code: 2 })
})

test.each([
  'init',
  'dev',
  'start',
  'check',
  'tools',
  'call',
  'events',
  'explain',
  'labels',
  'keys',
  'secrets',
  'schedules',
  'limits',
  'doctor',
])('%s --help shows its usage and touches nothing', async (name) => {
  const { code, out, err } = await runLine([name, '--help'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain(`toolcrib ${name}`)
})

test.each([
  [['tolos'], '✗ There is no command tolos.\n→ Did you mean tools?\n'],
  [['tools', '--packs', 'x'], '✗ There is no option --packs.\n→ Did you mean --pack?\n'],
  [['tools', '--pack'], '✗ --pack needs a value.\n→ Write --pack PACK.\n'],
  [['tools', '--json=yes'], '✗ --json takes no value.\n→ Write --json alone.\n'],
  [
    ['tools', '--pack', 'a', '--pack', 'b'],
    '✗ --pack was given twice.\n→ It takes one value: remove the others.\n',
  ],
  [
    ['--data', 'a', 'tools', '--data', 'b'],
    '✗ --data was given twice.\n→ It takes one value: remove the others.\n',
  ],
  [['agents', 'create'], '✗ The agent is missing.\n→ Write toolcrib agents create <agent>\n'],
  [['agents', 'show'], '✗ The agent is missing.\n→ Write toolcrib agents show <agent>\n'],
  [['doctor', 'x'], '✗ Too many words: x\n→ Usage: toolcrib doctor\n'],
  [['start', '--port', '99999'], '✗ --port takes a whole number from 0 to 65535, not 99999.\n'],
  [
    ['keys', 'revok', 'x'],
    '✗ toolcrib keys has no action revok.\n→ Did you mean toolcrib keys revoke?\n',
  ],
  [
    ['completion', 'tcsh'],
    '✗ completion needs to know your shell.\n→ Write toolcrib completion bash, zsh, fish or powershell.\n',
  ],
  [['migrate'], '✗ migrate needs a target.\n→ Write toolcrib migrate --to postgres://…\n'],
])('%j is refused with a fix', async (argv, err) => {
  expect(await runLine(argv)).toEqual({ code: 2, out: '', err })
})

test('with --json an error is one line of JSON on stderr and stdout stays empty', async () => {
  const fails = () =>
    Promise.reject(new ToolError('data_locked', 'In use.', { fix: 'Stop the other.' }))
  expect(await runLine(['doctor', '--json'], { more: { doctor: fails } })).toEqual({
    code: 6,
    out: '',
    err: '{"error":{"code":"data_locked","message":"In use.","retryable":false,"fix":"Stop the other."}}\n',
  })
})

test('anything without a code is called a bug', async () => {
  const fails = () => Promise.reject(new Error('boom \u001b[31m'))
  const { code, out, err } = await runLine(['doctor'], { more: { doctor: fails } })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toBe(
    '✗ This is a bug in Toolcrib: boom \n→ Run it again with TOOLCRIB_DEBUG=1 and report the output.\n',
  )
})

test('colours are for terminals, and only where nobody turned them off', async () => {
  const doctor = () => Promise.resolve([{ name: 'node', level: 'ok' as const, message: 'fine' }])
  const line = (options: object) =>
    runLine(['doctor'], { more: { doctor }, ...options }).then(({ out }) => out)
  expect(await line({})).toBe('✓ node fine\n')
  expect(await line({ isTty: true })).toBe('\u001b[32m✓\u001b[39m \u001b[1mnode\u001b[22m fine\n')
  expect(await line({ isTty: true, env: { NO_COLOR: '1' } })).toBe('✓ node fine\n')
})

test('doctor fails when something keeps Toolcrib from working, and suggests a fix', async () => {
  const findings = [
    { name: 'node', level: 'ok' as const, message: '24.1.0', fix: 'not shown' },
    { name: 'sandbox', level: 'warning' as const, message: 'missing', fix: 'Install it.' },
    { name: 'data', level: 'error' as const, message: 'read-only', fix: 'chmod it.' },
  ]
  const doctor = () => Promise.resolve(findings)
  expect(await runLine(['doctor'], { more: { doctor } })).toEqual({
    code: 1,
    out: '✓ node 24.1.0\n! sandbox missing\n  → Install it.\n✗ data read-only\n  → chmod it.\n',
    err: '',
  })
  expect(await runLine(['doctor', '--json'], { more: { doctor } })).toEqual({
    code: 1,
    out: `${JSON.stringify({ findings })}\n`,
    err: '',
  })
})

test('check groups findings by file and fails on errors, with --strict on warnings too', async () => {
  const warning = {
    file: '/nowhere/tools/a.tool.ts',
    tool: 'a.b',
    path: '/inputSchema',
    severity: 'warning' as const,
    rule: 'portability',
    message: 'openai would refuse it',
  }
  const check = () => Promise.resolve({ files: 1, tools: 1, findings: [warning] })
  expect(await runLine(['check'], { more: { check } })).toEqual({
    code: 0,
    out: [
      'tools/a.tool.ts',
      '  ! a.b /inputSchema openai would refuse it (portability)',
      '',
      '! 1 tool in 1 file: 0 errors, 1 warning',
      '',
    ].join('\n'),
    err: '',
  })
  expect((await runLine(['check', '--strict'], { more: { check } })).code).toBe(1)
  const broken = { ...warning, severity: 'error' as const, line: 3, column: 7, fix: 'Mend it.' }
  const failing = () => Promise.resolve({ files: 1, tools: 0, findings: [broken] })
  const { code, out } = await runLine(['check', '--json'], { more: { check: failing } })
  expect({ code, report: JSON.parse(out) }).toEqual({
    code: 1,
    report: { files: 1, tools: 0, findings: [broken], errors: 1, warnings: 0 },
  })
})

test('check and dev take folders as plain words', async () => {
  const seen: unknown[] = []
  const check = ({ tools }: { tools: readonly string[] }) => {
    seen.push(tools)
    return Promise.resolve({ files: 0, tools: 0, findings: [] })
  }
  await runLine(['check', '--tools', 'a', 'b', '/c'], { more: { check } })
  expect(seen).toEqual([['/nowhere/a', '/nowhere/b', '/c']])
})

test('migrate shows what was moved', async () => {
  const migrate = (options: { to: string }) =>
    Promise.resolve({ tables: [{ table: options.to, rows: 12 }], durationMs: 1500 })
  const { code, out } = await runLine(['migrate', '--to', 'postgres://db/crib'], {
    more: { migrate },
  })
  expect(code).toBe(0)
  expect(out.split('\n').slice(0, 3)).toEqual([
    'table               rows',
    'postgres://db/crib    12',
    '✓ moved in 1.5 s',
  ])
})

test('bench gets its words as they are', async () => {
  const bench = (args: readonly string[]) => Promise.resolve(args.length)
  expect((await runLine(['bench', '--only', 'http', '-x'], { more: { bench } })).code).toBe(3)
  expect((await runLine(['bench'])).code).toBe(4)
})

test('a reader that has enough ends the command without an error', async () => {
  let pages = 0
  const api = createFakeApi({
    'GET /events': () => {
      pages += 1
      return json({
        items: Array.from({ length: 100 }, () => eventOf('e')),
        next: String(pages),
        hasMore: true,
      })
    },
  })
  const stdout = new Writable({
    highWaterMark: 64,
    write: (_chunk, _encoding, done) => done(pages < 3 ? undefined : new Error('write EPIPE')),
  })
  const { code, err } = await runLine(['events', '--all', '--limit', '100000'], {
    ...api,
    more: { stdout },
  })
  expect({ code, err, isEarly: pages < 10 }).toEqual({ code: 0, err: '', isEarly: true })
})

test('a slow reader is waited for before the next page is asked', async () => {
  let pages = 0
  let written = 0
  let ahead = 0
  const api = createFakeApi({
    'GET /events': () => {
      ahead = Math.max(ahead, pages * 100 - written)
      pages += 1
      return json({
        items: Array.from({ length: 100 }, () => eventOf('e')),
        next: String(pages),
        hasMore: pages < 5,
      })
    },
  })
  const stdout = new Writable({
    highWaterMark: 64,
    write(_chunk, _encoding, done) {
      written += 1
      setImmediate(done)
    },
  })
  expect(
    (await runLine(['events', '--all', '--limit', '1000', '--json'], { ...api, more: { stdout } }))
      .code,
  ).toBe(0)
  expect({ ahead, written }).toEqual({ ahead: 0, written: 500 })
})

test('help names the values that an option takes, once', async () => {
  const { out } = await runLine(['calls', '--help'], { columns: 200 })
  const values = 'queued, running, waiting, completed, failed, denied, cancelled'
  expect(out).toMatch(new RegExp(`--status STATUS +only calls with this status: ${values}\n`))
  const start = await runLine(['start', '--help'], { columns: 200 })
  expect(start.out).toMatch(/--log-level LEVEL .*: error, warn, info, debug\n/)
  expect(start.out).not.toMatch(/--log-format .*: text, json\n/)
})
