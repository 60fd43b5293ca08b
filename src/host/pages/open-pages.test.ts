import { afterEach, expect, test } from 'vitest'
import { openPages, type PagesOptions } from './open-pages.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

function open(options: Partial<PagesOptions> = {}) {
  const module = new URL('./page-worker.ts', import.meta.url).href
  const pages = openPages({ module, ...options })
  closers.push(pages.close)
  return pages
}

const url = 'https://a.example/'
const markdown = { url, format: 'markdown' } as const
/** Half a second of work: each end tag is searched for among a thousand others. */
const slow = '<b>'.repeat(990) + '</i>'.repeat(400_000)

test('pages of several tenants are converted in a few threads', async () => {
  const pages = open({ threads: 2 })
  const converted = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      pages.pagesFor(`t${index % 3}`).convert(`<title>T</title><h1>Page ${index}</h1>`, markdown),
    ),
  )
  expect(converted).toEqual(
    Array.from({ length: 12 }, (_, index) => ({
      title: 'T',
      text: `# Page ${index}`,
      isPartial: false,
    })),
  )
})

test('a page that takes too long fails with a code', async () => {
  const pages = open({ threads: 1, deadlineMs: 5 }).pagesFor('t')
  await expect(pages.convert(slow, markdown)).rejects.toMatchObject({
    code: 'upstream_failed',
    retryable: false,
    message: 'Converting the page takes longer than 0.005 seconds',
    fix: expect.stringContaining('raw') as string,
  })
})

test('a page that takes too much memory fails with a code, and its thread is replaced', async () => {
  const pages = open({ threads: 1, memoryMb: 24 }).pagesFor('t')
  const wide = '<p>a<b>b</b>'.repeat(160_000)
  await expect(pages.convert(wide, markdown)).rejects.toMatchObject({
    code: 'upstream_failed',
    message: 'Converting the page needs more than 24 MB',
  })
  expect(await pages.convert('<p>a</p>', markdown)).toMatchObject({ text: 'a' })
})

test('a cancelled conversion stops its thread; one that still waits is not begun', async () => {
  const pages = open({ threads: 1, deadlineMs: 60_000 }).pagesFor('t')
  const running = new AbortController()
  const waiting = new AbortController()
  const first = pages.convert(slow, { ...markdown, signal: running.signal })
  const second = pages.convert(slow, { ...markdown, signal: waiting.signal })
  const third = pages.convert('<p>third</p>', markdown)
  waiting.abort(new Error('second ended'))
  await expect(second).rejects.toThrow('second ended')
  running.abort(new Error('first ended'))
  await expect(first).rejects.toThrow('first ended')
  expect(await third).toMatchObject({ text: 'third' })
})

test('a heavy page does not block the thread of the server', async () => {
  const pages = open({ threads: 1 }).pagesFor('t')
  await pages.convert('<p>warm</p>', markdown)
  let turns = 0
  const timer = setInterval(() => (turns += 1), 5)
  await pages.convert(`<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(60_000)}</table>`, markdown)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
})

test('more than two million characters are not looked at', async () => {
  const page = await open()
    .pagesFor('t')
    .convert(`${'a '.repeat(1_000_000)}END`, markdown)
  expect(page.isPartial).toBe(true)
  expect(page.text).not.toContain('END')
})

/** Pages written to keep a server busy, of up to two million characters. */
const hostile: Record<string, string> = {
  'fifty thousand nested elements': '<div>'.repeat(50_000) + 'x' + '</div>'.repeat(50_000),
  'end tags of nothing': '<div>'.repeat(50_000) + '</p>'.repeat(400_000),
  'a million angle brackets': '<'.repeat(1_000_000),
  'a large table': `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(68_000)}</table>`,
  entities: '&amp;&#x41;&lt;'.repeat(130_000),
  attributes: `<div ${Array.from({ length: 200_000 }, (_, i) => `a${i}`).join(' ')}>x</div>`,
  'styles without an end': '<i style="font-size:000000000000000000 x">a</i>'.repeat(40_000),
  'comments without an end': '<!--'.repeat(500_000),
  'style sheets without an end': `<style>@media{${'{/*'.repeat(90_000)}</style>x`,
  'lists in lists': '<ul><li>'.repeat(900) + '<li>a'.repeat(300_000),
  'quotes in quotes': '<blockquote>'.repeat(900) + '<p>a'.repeat(390_000),
  'short links that stand for long ones': `<base href="http://a/${'b'.repeat(2000)}/">${'<a href=c>d</a>'.repeat(130_000)}`,
  'spaces in a row': `<pre>${' '.repeat(1_900_000)}x`,
  'line breaks': '<br>'.repeat(490_000),
  headings: '<h1>a'.repeat(390_000),
  'tables in tables': '<table><tr><td>'.repeat(60_000),
}

test.each(Object.keys(hostile))('%s: converted within the deadline, or refused', async (shape) => {
  const pages = open({ threads: 1, deadlineMs: 100_000, memoryMb: 512 }).pagesFor('t')
  const page = await pages.convert(hostile[shape]!, markdown)
  expect(page.text.length).toBeLessThanOrEqual(4_000_000)
})
