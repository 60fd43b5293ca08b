import { expect, test } from 'vitest'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { ServeOptions } from '../environment.ts'
import { runLine } from '../testing/run-line.ts'

const report = {
  url: 'http://127.0.0.1:4680',
  signIn: 'http://127.0.0.1:4680/in/x',
  tools: 2,
  problems: [],
  warnings: ['Not under this name.'],
}

/** A server that is ready at once, then does what the case asks, and ends when it gets a signal. */
function serveWith(act: (options: ServeOptions) => void) {
  return async (options: ServeOptions): Promise<void> => {
    options.onReady(report)
    const ended = new Promise<void>((resolve) =>
      options.signal.addEventListener('abort', () => resolve()),
    )
    act(options)
    await ended
  }
}

test('the first line of --json reports that the server is ready, and its address', async () => {
  let interrupt = () => {}
  const serve = serveWith(() => interrupt())
  const { code, out, err } = await runLine(['start', '--json', '--port', '0'], {
    more: { serve },
    onStart: (signal) => (interrupt = signal),
  })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out.split('\n')[0] ?? '')).toEqual({ ready: true, ...report })
})

test('the banner shows the address, and skipped files with file and line', async () => {
  let interrupt = () => {}
  const problems = [
    {
      file: '/nowhere/tools/x.tool.ts',
      tools: [],
      error: { message: 'bad\u001b[2J', line: 3, column: 5 },
      warnings: [],
    },
    { file: '/nowhere/tools/y.tool.ts', tools: ['y.z'], warnings: ['odd'] },
  ]
  const serve = async (options: ServeOptions): Promise<void> => {
    options.onReady({ ...report, problems })
    options.onReload({
      files: [{ file: '/nowhere/tools/x.tool.ts', tools: ['x.y'], warnings: [] }],
      removed: ['old.tool'],
      tools: 3,
      durationMs: 12.4,
    })
    interrupt()
  }
  const { code, out, err } = await runLine(['dev'], {
    more: { serve },
    onStart: (signal) => (interrupt = signal),
  })
  expect(code).toBe(0)
  expect(out.split('\n')).toEqual([
    'Toolcrib 1.2.3 (dev)',
    '',
    '  listening  http://127.0.0.1:4680',
    '  sign in    http://127.0.0.1:4680/in/x (works once)',
    '  tools      2',
    '',
    '✗ tools/x.tool.ts:3:5 was left out: bad',
    '! tools/y.tool.ts: odd',
    '! Not under this name.',
    'Watching the tools; Ctrl-C stops.',
    '✓ tools/x.tool.ts: x.y in 12 ms',
    '- old.tool',
    '',
  ])
  expect(err).toBe('Stopping: waiting for running calls. Ctrl-C again quits immediately.\n')
})

test('options reach the server with absolute paths', async () => {
  let interrupt = () => {}
  let seen: Partial<ServeOptions> = {}
  const serve = serveWith(
    ({
      onReady: _ready,
      onReload: _reload,
      onSetupChange: _change,
      signal: _signal,
      ...options
    }) => {
      seen = options
      interrupt()
    },
  )
  const argv = [
    '--data',
    'd',
    'start',
    '--port=0',
    '--host',
    '0.0.0.0',
    '--tools',
    'a',
    '--config',
    'c.yaml',
  ]
  await runLine([...argv, '--database', 'postgres://db'], {
    more: { serve },
    onStart: (signal) => (interrupt = signal),
  })
  expect(seen).toEqual({
    mode: 'start',
    isConsoleFromSource: false,
    logs: {},
    isWatched: false,
    port: 0,
    host: '0.0.0.0',
    data: '/nowhere/d',
    tools: ['/nowhere/a'],
    config: '/nowhere/c.yaml',
    database: 'postgres://db',
    json: false,
    cwd: '/nowhere',
  })
})

test('a second Ctrl-C does not wait for a server that hangs', async () => {
  let interrupt = () => {}
  const serve = (): Promise<void> => {
    interrupt()
    interrupt()
    return new Promise(() => {})
  }
  const { code } = await runLine(['start'], {
    more: { serve },
    onStart: (signal) => (interrupt = signal),
  })
  expect(code).toBe(130)
})

test('a server that cannot start shows why', async () => {
  const serve = () =>
    Promise.reject(
      new ToolError('data_locked', 'Another server uses it.', { fix: 'Stop that one.' }),
    )
  expect(await runLine(['start'], { more: { serve } })).toEqual({
    code: 6,
    out: '',
    err: '✗ Another server uses it.\n→ Stop that one.\n',
  })
})

test.each([
  [['start'], false, { isWatched: false }],
  [['start'], true, { isWatched: true }],
  [['dev'], false, { isWatched: true }],
  [['start', '--json'], false, { isWatched: true }],
  [['start', '--sign-in-link', 'never'], true, { isWatched: true, signInLink: 'never' }],
  [['start', '--sign-in-link', 'always'], false, { isWatched: false, signInLink: 'always' }],
])('%j on a terminal (%s) asks for a sign-in link so: %j', async (args, isTty, expected) => {
  let given: Pick<ServeOptions, 'isWatched' | 'signInLink'> | undefined
  const serve = async ({ isWatched, signInLink, onReady }: ServeOptions): Promise<void> => {
    given = { isWatched, ...(signInLink && { signInLink }) }
    const { signIn: _, ...without } = report
    onReady(without)
  }
  const { out } = await runLine(args, { more: { serve, isTty } })
  expect(given).toEqual(expected)
  if (!args.includes('--json')) expect(out).toContain('toolcrib sign-in-link prints a link')
})

test('another word for the sign-in link is refused', async () => {
  const { code, err } = await runLine(['start', '--sign-in-link', 'maybe'])
  expect([code, err]).toEqual([2, expect.stringContaining('always')])
})
