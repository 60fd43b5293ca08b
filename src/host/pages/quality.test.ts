import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { toReadable } from './to-readable.ts'

const read = (name: string) =>
  readFileSync(
    fileURLToPath(new URL(`../../../test/fixtures/pages/${name}.html`, import.meta.url)),
    'utf8',
  )

/** The facts that a reader looks for, as they appear in the Markdown. */
const wanted: Record<string, { title: string; facts: string[] }> = {
  news: {
    title: 'Harbour bridge reopens after 14 months – The Coast Daily',
    facts: [
      '# Harbour bridge reopens after 14 months',
      '**Old Town**',
      '3 March 2026',
      '**€48.2 million**',
      'Marta Lindqvist',
      '[final report](https://coast.example/reports/bridge-2026.pdf)',
      '312 replaced bolts',
      '> “We crossed it on foot, at five in the morning.”',
      'Read it aloud',
      '[the desk](mailto:desk@coast.example)',
      '![The bridge at dawn](https://coast.example/img/bridge.jpg)',
      'Timetable: ferries stop on 1 April.',
    ],
  },
  docs: {
    title: 'queue.take() | Rowboat 4.2 docs',
    facts: [
      '# queue.take()',
      'Takes up to `limit` jobs. Available since version 3.1.',
      '```ts\nconst jobs = await queue.take({ limit: 8, leaseMs: 30_000 })\n// an empty list once the queue is closed\nif (jobs.length < 8 && queue.isClosed) return\n```',
      '## Options',
      '| Option | Default | Meaning |',
      '| `limit` | 1 | How many jobs, at most 500 |',
      '| `leaseMs` | 60000 | After it, others get them *again* |',
      '| `wait` | a\\|b | [How waiting works](https://docs.rowboat.example/4.2/guide/waiting.html) |',
      '**QueueClosed**',
      'Thrown after close().',
      '3. Install',
      '- npm i rowboat',
      '4. Start',
      'Older versions',
      'queue.pop',
    ],
  },
  prices: {
    title: 'Prices — Fernweh Hostel',
    facts: [
      'Prices 2026',
      'All prices per night, with breakfast.',
      'Dorm, 6 beds',
      '€ 31',
      '€ 24',
      '€ 88',
      '€ 69.50',
      'Sauna',
      '€ 12',
      'Dogs cost € 7',
      '22:30 — later by phone: +43 662 1234',
      'Zerowidth and turned text stay readable.',
      'Family rooms on request.',
    ],
  },
  framework: {
    title: 'Otter care | Zoo wiki',
    facts: [
      '# Otter care',
      'Otters eat 15 % of their weight each day.\n\nThey sleep holding hands.',
      'Pools must be 1.8 m deep.',
      '- Fish: herring',
      '- Toys: ice blocks',
      'every 6 months',
      'Emergency: 0800 5551',
    ],
  },
}

test.each(Object.keys(wanted))('%s: everything wanted is there and nothing hidden is', (name) => {
  const page = toReadable(read(name), { url: 'https://coast.example/a/b', format: 'markdown' })
  const { title, facts } = wanted[name]!
  expect(page.title).toBe(title)
  expect(facts.filter((fact) => !page.text.includes(fact))).toEqual([])
  expect(page.text).not.toContain('LEAK')
  expect(page.text).not.toMatch(/[\u200B\u202E\u{E0000}-\u{E007F}]/u)
  expect(page.isPartial).toBe(false)
})

test.each(Object.keys(wanted))('%s: as text and as HTML, nothing hidden is there', (name) => {
  const url = 'https://coast.example/a/b'
  const text = toReadable(read(name), { url, format: 'text' }).text
  expect(text).not.toMatch(/LEAK|<\/|\]\(/)
  const html = toReadable(read(name), { url, format: 'html' }).text
  // Menus and notices stay here: this is for pages that are mistaken for them.
  expect(html).not.toMatch(/script|LEAK (?:hidden|zero|off|template|comment)|javascript:|style=/)
  expect(html.length).toBeGreaterThan(text.length)
})

test('a page that calls all of it a sidebar keeps its text', () => {
  const html = '<div class="sidebar"><p>The only words here.</p></div><nav>Menu</nav>'
  const page = toReadable(html, { url: 'https://a.example/', format: 'markdown' })
  expect(page).toEqual({ title: null, text: 'The only words here.\n\nMenu', isPartial: false })
})

test('a main part that holds little is not taken for the page', () => {
  const html = `<main>Tiny</main><div><p>${'Long text. '.repeat(40)}</p></div>`
  const { text } = toReadable(html, { url: 'https://a.example/', format: 'markdown' })
  expect(text).toContain('Tiny')
  expect(text).toContain('Long text.')
})

test('text that looks like HTML stays text', () => {
  const html = '<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt;b&amp;gt; 1 &lt; 2</p>'
  const options = { url: 'https://a.example/' }
  expect(toReadable(html, { ...options, format: 'text' }).text).toBe(
    '<script>alert(1)</script> &lt;b&gt; 1 < 2',
  )
  expect(toReadable(html, { ...options, format: 'html' }).text).toBe(
    '<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt;b&amp;gt; 1 &lt; 2</p>',
  )
})

test('a page sets the base of its links once, and not to something else than the web', () => {
  const html =
    '<base href="javascript:1"><base href="https://evil.example/"><a href="x">one</a> <a href="//b.example/y">two</a>'
  const { text } = toReadable(html, { url: 'https://a.example/p/', format: 'markdown' })
  expect(text).toBe('[one](https://a.example/p/x) [two](https://b.example/y)')
})
