import type { AuditEntry } from '../../../../core/audit/audit-filter.ts'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toCsvHeader, toCsvRow } from '../../../../features/audit/to-csv.ts'
import { createFakeApi, eventOf, json } from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

const digest = 'ab'.repeat(32)

describe('audit', () => {
  test('sends the filters, and continues over empty pages', async () => {
    const pages = [
      { items: [], next: 'c1' },
      { items: [{ ...eventOf('e1'), tool: 'calc.add', principalName: 'CI' }], next: 'c2' },
      { items: [] },
    ]
    const api = createFakeApi({ 'GET /audit': () => json(pages.shift()) })
    const filters = ['--who', 'user:anna', '--what', 'keys,calls', '--outcome', 'failed']
    const more = ['--session', 's', '--call', 'c', '--from', '2026-03-01', '--text', 'x']
    const line = await runLine(['audit', ...filters, ...more], api)
    expect(line).toMatchObject({ code: 0, err: '' })
    expect(line.out).toMatch(/^2026-11-02 .* call\.completed +calc\.add key:CI 5 ms\n$/)
    const asked = { who: 'user:anna', what: 'keys,calls', outcome: 'failed', from: '2026-03-01' }
    const rest = { sessionId: 's', callId: 'c', text: 'x' }
    expect(api.seen.filter((one) => one.path === '/audit').map(({ query }) => query)).toEqual([
      { ...asked, ...rest, limit: '100' },
      { ...asked, ...rest, limit: '100', after: 'c1' },
      { ...asked, ...rest, limit: '99', after: 'c2' },
    ])
  })

  test('a time ago is a time', async () => {
    const api = createFakeApi({ 'GET /audit': () => json({ items: [] }) })
    const line = await runLine(['audit', '--from', '24h'], api)
    expect(line.err).toBe('No events match.\n')
    const from = Date.parse(api.last('/audit')?.query['from'] ?? '')
    expect(Math.abs(Date.now() - 86_400_000 - from)).toBeLessThan(60_000)
  })
})

describe('audit verify', () => {
  const stretch = { segments: 2, events: 10, problems: [] }
  const from = { segment: 1, at: '2026-03-01T00:00:00.000Z' }
  const to = { segment: 4, digest, at: '2026-03-02T00:00:00.000Z' }

  test('goes through all stretches and shows the head to keep', async () => {
    const removed = { records: 3, until: '2026-03-01T00:00:00.000Z' }
    const api = createFakeApi({
      'GET /audit/verify': ({ query }) =>
        query['after'] === '0'
          ? json({ ...stretch, from, to: { ...to, segment: 2 }, removed, next: 2 })
          : json({ ...stretch, to, unsealed: 1 }),
    })
    const { code, out, err } = await runLine(['audit', 'verify'], api)
    expect(code).toBe(0)
    expect(out).toContain('✓ 20 events in 4 segments: as they were sealed\n')
    expect(out).toContain('3 records removed by retention')
    expect(out).toContain('1 record not sealed yet')
    expect(out).toContain(`head 4:${digest}\n`)
    expect(err).toContain('--anchor')
    const found = await runLine(['audit', 'verify', '--anchor', `4:${digest}`, '--json'], api)
    expect(JSON.parse(found.out)).toEqual({
      ok: true,
      segments: 4,
      events: 20,
      from,
      to,
      removed,
      unsealed: 1,
      problems: [],
    })
    expect(api.last('/audit/verify')?.query['anchor']).toBe(`4:${digest}`)
  })

  test('shows each problem with its place, and exits with 1', async () => {
    const problem = { kind: 'removed', segment: 2, message: 'An event is missing', missing: 1 }
    const problems = [{ ...problem, afterEvent: 'e1', beforeEvent: 'e2' }]
    const api = createFakeApi({
      'GET /audit/verify': () => json({ ...stretch, problems, from, to, unsealed: 0 }),
    })
    const { code, out } = await runLine(['audit', 'verify'], api)
    expect(code).toBe(1)
    expect(out).toContain('✗ 10 events in 2 segments: 1 problem\n')
    expect(out).toContain('segment 2: An event is missing (after e1, before e2, 1 missing)\n')
  })
})

describe('audit export', () => {
  let folder: string
  beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'toolcrib audit '))))
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const rows = ['e1', 'e2', 'e3'].map((id) => eventOf(id))
  const api = createFakeApi({
    'GET /audit/export': ({ query }) => {
      const rest = rows.filter(({ id }) => id > (query['after'] ?? ''))
      const lines = rest.map((row) =>
        query['format'] === 'csv' ? toCsvRow(row as AuditEntry) : `${JSON.stringify(row)}\n`,
      )
      const isWhole = query['format'] === 'csv' && query['after'] === undefined
      return new Response((isWhole ? toCsvHeader() : '') + lines.join(''))
    },
  })
  const run = (...words: string[]) =>
    runLine(['audit', 'export', ...words], { fetch: api.fetch, cwd: folder })

  test.each(['csv', 'jsonl'])('a %s copy interrupted at any point is continued', async (format) => {
    const name = `copy.${format}`
    const file = path.join(folder, name)
    expect((await run('--out', name)).err).toBe(`✓ 3 events in ${name}\n`)
    const whole = await readFile(file, 'utf8')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const firstLine = whole.indexOf('\n') + 1
    for (let length = firstLine; length <= whole.length; length += 7) {
      await writeFile(file, whole.slice(0, length))
      expect((await run('--out', name)).code).toBe(0)
      expect(await readFile(file, 'utf8')).toBe(whole)
    }
  })

  test('a file of somebody else is left as it is', async () => {
    const file = path.join(folder, 'notes.csv')
    for (const text of ['my notes\n', 'half a line', '"a","b"\r\n\n']) {
      await writeFile(file, text)
      const { code, err } = await run('--out', 'notes.csv')
      expect([code, err]).toEqual([2, expect.stringContaining('Choose another file')])
      expect(await readFile(file, 'utf8')).toBe(text)
    }
    expect((await run()).err).toContain('--out audit.csv')
  })

  test('an interrupted copy shows how to continue', async () => {
    const broken = new ReadableStream({
      pull(controller) {
        controller.error(new Error('the line went dead'))
      },
    })
    const { fetch } = createFakeApi({ 'GET /audit/export': () => new Response(broken) })
    const words = ['audit', 'export', '--out', 'broken.jsonl']
    const { code, err } = await runLine(words, { fetch, cwd: folder })
    expect(code).toBe(6)
    expect(err).toContain('Run the same command again')
  })
})

describe('usage', () => {
  const figures = { calls: 4, completed: 3, failed: 1, denied: 0, cancelled: 0 }
  const row = {
    subject: 'user:mem_1',
    name: 'Anna',
    ...figures,
    runMs: 1500,
    outputBytes: 48,
    cost: 7.5,
  }

  test('is a table of what was asked for', async () => {
    const answer = { from: '2026-03-01', to: '2026-03-31', items: [row] }
    const api = createFakeApi({ 'GET /usage': () => json(answer) })
    const line = await runLine(['usage', '--by', 'principal', '--from', '2026-03-01'], api)
    expect(line.out.split('\n')[1]).toMatch(
      /^Anna \(user:mem_1\) +4 +3 +1 +0 +0 +1\.5 s +48 B +7\.5$/,
    )
    expect(api.last('/usage')?.query).toEqual({ by: 'principal', from: '2026-03-01' })
  })

  test('no usage is reported as such', async () => {
    const answer = { from: '2026-03-01', to: '2026-03-31', items: [] }
    const api = createFakeApi({ 'GET /usage': () => json(answer) })
    expect(await runLine(['usage'], api)).toEqual({
      code: 0,
      out: 'No usage from 2026-03-01 to 2026-03-31.\n',
      err: '',
    })
  })
})
