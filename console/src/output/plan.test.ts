import { expect, test } from 'vitest'
import type { JsonValue } from '../api/json.ts'
import { planOutput } from './plan.ts'
import { chooseKind } from './shape.ts'

test.each<[string, JsonValue]>([
  ['value', 12],
  ['value', null],
  ['value', 'short'],
  ['empty', ''],
  ['text', 'two\nlines'],
  ['text', 'x'.repeat(200)],
  ['link', 'https://example.com'],
  ['value', 'javascript:alert(1)'],
  ['image', 'data:image/png;base64,AAAA'],
  ['value', 'data:text/html,<b>x</b>'],
  ['audio', 'data:audio/wav;base64,AAAA'],
  ['empty', []],
  ['empty', {}],
  ['list', ['a', 1, null]],
  ['table', Array.from({ length: 60 }, (_, index) => index)],
  ['table', [{ a: 1 }, { b: ['x'] }]],
  ['json', [{ a: { deep: 1 } }]],
  ['json', [[1], [2]]],
  ['summary', { a: 1, b: 'x', c: null, d: ['x', 'y'] }],
  ['parts', { a: 1, rows: [{ b: 1 }] }],
  ['content', { $content: [{ type: 'text', text: 'x' }] }],
])('%s is what %j is drawn as', (kind, value) => {
  expect(chooseKind(value)).toBe(kind)
})

const plain = (value: JsonValue, tool?: Parameters<typeof planOutput>[1]) =>
  planOutput(value, tool).map(({ title, kind }) => `${title ?? '-'}: ${kind}`)

test('without a definition the shape decides, single values first', () => {
  expect(
    plain({ rows: [{ a: 1 }], total: 3, note: 'x\ny', deep: { a: { b: { c: [{}] } } } }),
  ).toEqual(['-: summary', 'Rows: table', 'Note: text', 'Deep: A: json'])
})

const output = { total: 3, rows: [{ a: 1 }], note: '# Hello', extra: 'x', count: 2 }

test('sections come in their order, then the rest', () => {
  const sections = [
    { key: 'note', label: 'Note', type: 'markdown' },
    { key: 'rows', label: 'All rows', type: 'table' },
    { key: 'gone', label: 'Gone', type: 'table' },
  ]
  expect(plain(output, { sections })).toEqual([
    'Note: markdown',
    'All rows: table',
    'More: summary',
  ])
})

test('a view orders, renames, hides and draws twice; sections fill in the rest', () => {
  const sections = [
    { key: 'rows', label: 'All rows', type: 'table' },
    { key: 'note', label: 'Note', type: 'markdown' },
  ]
  const view = {
    sections: [
      { path: 'note', title: 'Report' },
      { path: 'rows' },
      { path: 'rows', kind: 'chart' as const, title: 'Drawn' },
      { path: 'extra', hidden: true },
      { path: '/rows/0/a', kind: 'summary' as const, title: 'First' },
    ],
    rest: 'hide' as const,
  }
  expect(plain(output, { sections, view })).toEqual([
    'Report: markdown',
    'All rows: table',
    'Drawn: chart',
    '-: summary',
  ])
})

test('neighbouring single values share one row of cards', () => {
  const sections = [
    { key: 'total', label: 'Total', type: 'summary' },
    { key: 'count', label: 'Count', type: 'summary' },
  ]
  const [cards] = planOutput({ total: 3, count: null }, { sections })
  expect([cards?.kind, cards?.columns?.map(({ label }) => label)]).toEqual([
    'summary',
    ['Total', 'Count'],
  ])
})

test('a value that does not fit its declaration is drawn by its shape', () => {
  const sections = [
    { key: 'rows', label: 'Rows', type: 'chart' },
    { key: 'note', label: 'Picture', type: 'image' },
    { key: 'unknown', label: 'Odd', type: 'hologram' },
  ]
  const value = { rows: 'none today', note: 'https://evil.example/a.png', unknown: { a: 1 } }
  expect(plain(value, { sections })).toEqual(['-: summary', 'Picture: link', 'Odd: summary'])
})

test('an output without any declared key is drawn whole', () => {
  const sections = [{ key: 'rows', label: 'Rows', type: 'table' }]
  expect(plain({ other: 1 }, { sections })).toEqual(['-: summary'])
})

test('rich output shows its structure, and content other than text beside it', () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
  const value = { $content: [{ type: 'text', text: '{"a":1}' }, image], $structured: { a: 1 } }
  expect(planOutput(value, undefined).map(({ kind, value: inner }) => [kind, inner])).toEqual([
    ['summary', { a: 1 }],
    ['content', [image]],
  ])
})

test('a value nested ten thousand deep is planned as a tree', () => {
  let deep: JsonValue = { end: true }
  for (let level = 0; level < 10_000; level += 1) deep = { a: deep }
  expect(plain(deep)).toEqual(['A: A: json'])
})

const file = { path: 'a.ts', text: 'x\ny', firstLine: 3, extra: 1 }

test('facts of a text are drawn with it and not by themselves', () => {
  const sections = [{ key: 'text', label: 'Text', type: 'code' }]
  expect(
    planOutput(file, { sections }).map(({ kind, facts, value }) => [kind, facts ?? value]),
  ).toEqual([
    ['code', { path: 'a.ts', firstLine: 3 }],
    ['summary', { extra: 1 }],
  ])
})

test('fields name the keys of facts, in a nested object too', () => {
  const sections = [{ key: 'text', label: 'Text', type: 'code', fields: { firstLine: 'extra' } }]
  expect(planOutput(file, { sections })[0]?.facts).toEqual({ path: 'a.ts', firstLine: 1 })
  const output = { page: { body: 'z', link: 'u', title: 't' }, title: 'other' }
  const view = {
    sections: [{ path: '/page/body', kind: 'page' as const, fields: { url: 'link' } }],
  }
  expect(
    planOutput(output, { sections: [], view }).map(({ kind, facts, value }) => [
      kind,
      facts ?? value,
    ]),
  ).toEqual([
    ['page', { url: 'u', title: 't' }],
    ['summary', { title: 'other' }],
  ])
})

test('facts of a part that is not drawn as its kind are drawn by themselves', () => {
  const sections = [{ key: 'text', label: 'Text', type: 'code' }]
  const plan = planOutput({ text: [1], path: 'a.ts' }, { sections })
  expect(plan.map(({ kind }) => kind)).toEqual(['list', 'summary'])
})

test('a kept file is a file, and none is not mentioned', () => {
  const sections = [{ key: 'text', label: 'Text', type: 'terminal' }]
  const artifact = { id: 'out_1', bytes: 12, mediaType: 'text/plain' }
  const kinds = (output: JsonValue) => planOutput(output, { sections }).map(({ kind }) => kind)
  expect(kinds({ text: 'x', artifact })).toEqual(['terminal', 'artifact'])
  expect(kinds({ text: 'x', artifact: null })).toEqual(['terminal'])
})
