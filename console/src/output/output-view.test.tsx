import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { JsonValue } from '../api/json.ts'
import { stage } from '../testing/output-stage.tsx'
import { violations } from '../testing/violations.ts'
import { OutputView } from './output-view.tsx'

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const rows = ['North', 'East', 'South'].map((name, index) => ({
  name,
  score: 90 - index * 20,
  cost: index * 1000 - 500,
  severity: index === 0 ? 'high' : 'low',
  when: '2026-03-01T10:00:00Z',
}))

const everyKind: JsonValue = {
  summary: {
    total: 12.5,
    sharePercent: 30,
    verdict: 'A sentence that is longer than a card can hold.',
    none: null,
  },
  rows,
  report:
    '# Title\n\nSome **bold** text, a [link](https://example.com).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n```\ncode\n```',
  picture: pixel,
  text: 'First line\nSecond line',
  list: ['one', 'two'],
  address: 'https://example.com/a',
  sound: 'data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=',
  deep: { a: [{ b: { c: 1 } }] },
  empty: [],
}

const tool = {
  sections: [
    { key: 'summary', label: 'Result', type: 'summary' },
    { key: 'report', label: 'Report', type: 'markdown' },
    { key: 'picture', label: 'Picture', type: 'image' },
  ],
  view: {
    sections: [
      { path: 'summary' },
      { path: 'rows', kind: 'ranking' as const, title: 'Places', columns: [{ key: 'cost' }] },
      { path: 'rows', kind: 'chart' as const, title: 'Drawn', chart: { kind: 'bar' as const } },
      { path: 'rows', kind: 'radar' as const, title: 'Around' },
      {
        path: 'rows',
        kind: 'chart' as const,
        title: 'Course',
        chart: { kind: 'line' as const, x: 'name', series: [{ key: 'score' }, { key: 'cost' }] },
      },
      {
        path: 'rows',
        kind: 'table' as const,
        title: 'All',
        columns: [{ key: 'severity', tones: { high: 'bad' as const, low: 'good' as const } }],
      },
    ],
  },
}

test('every kind of part is drawn and clean, in light and dark', async () => {
  const screen = await stage(<OutputView value={everyKind} tool={tool} />)
  await expect.element(screen.getByText('bold')).toBeVisible()
  await expect
    .poll(() => document.querySelectorAll('.recharts-surface').length, { timeout: 20_000 })
    .toBe(3)
  await expect.element(screen.getByText(/^A sentence that is longer/)).toBeVisible()
  expect(await violations(screen.container)).toEqual([])
  await screen.getByText('JSON', { exact: true }).click()
  await expect.element(screen.getByRole('tree', { name: 'Output as JSON' })).toBeVisible()
  expect(await violations(screen.container)).toEqual([])
})

test('every chart and ranking can be looked at as a table', async () => {
  const screen = await stage(<OutputView value={{ rows }} tool={{ ...tool }} />)
  for (const name of ['Places', 'Drawn', 'Around', 'Course']) {
    const part = screen.getByRole('group', { name, exact: true }).first()
    await part.getByText('Table', { exact: true }).click()
    await expect.element(part.getByRole('cell', { name: 'North' })).toBeVisible()
  }
})

test('a chart has a text description', async () => {
  const screen = await stage(<OutputView value={{ rows }} tool={tool} />)
  const drawn = screen.getByRole('figure', { name: /^Line chart, Course, North to South/ })
  await expect.element(drawn).toBeVisible()
  expect(drawn.element().getAttribute('aria-label')).toBe(
    'Line chart, Course, North to South. Score from 50 to 90. Cost from -500 to 1,500.',
  )
})

test('a table is sorted by a column, up, down and as it came', async () => {
  const screen = await stage(<OutputView value={rows} />)
  const button = screen.getByRole('button', { name: 'Score' })
  const first = () => screen.container.querySelector('tbody tr td')?.textContent
  const sorting = () => button.element().closest('th')?.getAttribute('aria-sort')
  await button.click()
  expect([first(), sorting()]).toEqual(['South', 'ascending'])
  await button.click()
  expect([first(), sorting()]).toEqual(['North', 'descending'])
  await button.click()
  expect([first(), sorting()]).toEqual(['North', null])
})

test('a hundred thousand rows and two thousand columns are a page at a time', async () => {
  const long = Array.from({ length: 100_000 }, (_, index) => ({ id: index, name: `row ${index}` }))
  const wide = [
    Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`c${index}`, index])),
  ]
  const screen = await stage(<OutputView value={{ long, wide }} />)
  await expect.element(screen.getByText('Rows 1 to 50 of 100,000')).toBeVisible()
  await expect.element(screen.getByText('Columns 1 to 30 of 2,000')).toBeVisible()
  expect(screen.container.querySelectorAll('td').length).toBeLessThan(200)
  await screen.getByRole('button', { name: 'ID' }).click()
  await screen.getByRole('button', { name: 'ID' }).click()
  await expect.element(screen.getByText('row 99999')).toBeVisible()
  await screen.getByRole('button', { name: 'Next rows' }).first().click()
  await expect.element(screen.getByText('Rows 51 to 100 of 100,000')).toBeVisible()
})

test('the tree is walked by keyboard, opens long lists and long texts, and stays open', async () => {
  const value = {
    long: Array.from({ length: 100_000 }, (_, index) => index),
    text: `first\n${'x'.repeat(5000)}`,
    inner: { leaf: 'found' },
  }
  const screen = await stage(<OutputView value={value} />)
  await screen.getByText('JSON', { exact: true }).click()
  const tree = screen.getByRole('tree')
  tree.element().focus()
  await userEvent.keyboard('{End}{ArrowRight}{ArrowDown}')
  await expect.element(screen.getByText('found')).toBeVisible()
  const active = tree.element().getAttribute('aria-activedescendant') ?? ''
  expect(document.getElementById(active)?.textContent).toContain('leaf')
  await screen.getByText('Show all 5,006 characters').click()
  await screen.change(<OutputView value={{ ...value, added: 1 }} />)
  await expect.element(screen.getByText('found')).toBeVisible()
  await userEvent.click(screen.getByText('[ 100,000 items ]'))
  await expect
    .poll(() => tree.element().querySelectorAll('[role=treeitem]').length)
    // Of a hundred thousand; how many more than fit depends on when the view was measured.
    .toBeLessThan(500)
  expect(await violations(screen.container)).toEqual([])
})

test('ten thousand levels neither overflow nor freeze', async () => {
  let deep: JsonValue = 'bottom'
  for (let level = 0; level < 10_000; level += 1) deep = { a: deep }
  const screen = await stage(<OutputView value={deep} />)
  await expect.element(screen.getByRole('tree')).toBeVisible()
})

test('a partial output is marked as partial', async () => {
  const screen = await stage(<OutputView value={{ report: '**half' }} isPartial />)
  await expect.element(screen.getByText('Still running; more output may follow')).toBeVisible()
})

test('rich content: text, JSON, pictures, sound, links and files', async () => {
  const value: JsonValue = {
    $content: [
      { type: 'text', text: 'Plain\ntext' },
      { type: 'text', text: '{"json": ["in", "text"]}' },
      { type: 'image', data: pixel.split(',')[1] ?? '', mimeType: 'image/png' },
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      { type: 'image', data: 'PGI+', mimeType: 'text/html' },
      {
        type: 'resource_link',
        uri: 'https://example.com/r',
        name: 'r',
        title: 'Read me',
        size: 2048,
      },
      { type: 'resource_link', uri: 'file:///etc/passwd', name: 'local' },
      {
        type: 'resource',
        resource: { uri: 'doc://a', mimeType: 'text/markdown', text: '**strong**' },
      },
      { type: 'resource', resource: { uri: 'doc://b', blob: 'AAAA' } },
      { type: 'text', text: 'for models', annotations: { audience: ['assistant'] } },
      { type: 'something new', a: 1 },
    ],
  }
  const screen = await stage(<OutputView value={value} />)
  await expect.element(screen.getByText('strong')).toBeVisible()
  await expect.element(screen.getByRole('link', { name: 'https://example.com/r' })).toBeVisible()
  await expect.element(screen.getByText('For the model')).toBeVisible()
  expect(screen.container.querySelectorAll('a')).toHaveLength(1)
  expect(screen.container.querySelectorAll('img')).toHaveLength(1)
  expect(screen.container.querySelectorAll('audio')).toHaveLength(1)
  expect(await violations(screen.container)).toEqual([])
})

test('stacked bars below zero go down from it', async () => {
  const value = [
    { name: 'A', won: 9, lost: -3 },
    { name: 'B', won: 4, lost: -6 },
  ]
  const chart = { kind: 'bar' as const, x: 'name', isStacked: true }
  await stage(
    <OutputView
      value={{ value }}
      tool={{ sections: [], view: { sections: [{ path: 'value', kind: 'chart', chart }] } }}
    />,
  )
  const bars = () => [...document.querySelectorAll('.recharts-bar-rectangle path')]
  await expect.poll(() => bars().length, { timeout: 20_000 }).toBe(4)
  const [wonA, wonB, lostA, lostB] = bars().map((bar) => bar.getBoundingClientRect())
  for (const [won, lost] of [
    [wonA, lostA],
    [wonB, lostB],
  ]) {
    expect(lost?.top).toBeGreaterThanOrEqual((won?.bottom ?? Number.NaN) - 1)
  }
})

test('a ranking shows how far below zero something is, and dates of a table are on one line', async () => {
  const value = [
    { name: 'A', score: 10, at: '2026-11-14T22:13:00Z' },
    { name: 'B', score: -10, at: '2026-11-14T22:13:00Z' },
  ]
  const screen = await stage(
    <OutputView
      value={{ value }}
      tool={{
        sections: [],
        view: {
          sections: [
            { path: 'value', kind: 'ranking' },
            { path: 'value', kind: 'table' },
          ],
        },
      }}
    />,
  )
  await expect.element(screen.getByRole('table')).toBeVisible()
  const fills = [...document.querySelectorAll('ol [style*="width"]')].map((bar) =>
    bar.getAttribute('style'),
  )
  expect(fills).toEqual(['width: 100%;', 'width: 100%;'])
  const cell = document.querySelector('td[data-time]')
  expect(cell === null ? '' : getComputedStyle(cell).whiteSpace).toBe('nowrap')
})
