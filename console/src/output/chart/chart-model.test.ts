import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../api/json.ts'
import { mayChart, toChart } from './chart-model.ts'
import { toRanking } from './ranking-model.ts'
import { sortRows, toTable } from '../table/table-model.ts'
import { pixelsOf } from '../media/image-size.ts'

test('names become the axis and figures the series; years are a line, names are bars', () => {
  const years = [2025, 2026, 2027].map((year) => ({ year, net: year - 2000, rank: 1 }))
  expect(toChart(years)).toEqual({
    kind: 'line',
    series: [{ key: 'net', label: 'Net' }],
    points: [
      { x: '2025', s0: 25 },
      { x: '2026', s0: 26 },
      { x: '2027', s0: 27 },
    ],
    writing: {},
    max: undefined,
    isStacked: false,
    everyNth: 1,
  })
  expect(toChart([{ name: 'a', score: 1 }])?.kind).toBe('bar')
})

test('the view decides where it declares something, and its keys are never paths', () => {
  const value = [{ 'a.b': 'x', 'c.d': 1, __proto__x: 2 }]
  const chart = toChart(value, {
    chart: { kind: 'radar', x: 'a.b', series: [{ key: 'c.d', label: 'C' }], max: 5, unit: 'of 5' },
  })
  expect([chart?.kind, chart?.points, chart?.max, chart?.writing]).toEqual([
    'radar',
    [{ x: 'x', s0: 1 }],
    5,
    { unit: 'of 5' },
  ])
})

test('a hundred thousand points are thinned out, with a note', () => {
  const rows = Array.from({ length: 100_000 }, (_, index) => ({ label: `p${index}`, value: index }))
  const chart = toChart(rows)
  expect([chart?.points.length, chart?.everyNth]).toEqual([400, 250])
})

test.each<[boolean, JsonValue]>([
  [
    true,
    [
      { label: 'a', value: 1 },
      { label: 'b', value: 2 },
    ],
  ],
  [false, [{ label: 'a', value: 1 }]],
  [false, [{ label: 'a' }, { label: 'b' }]],
  [false, [{ value: 1 }, { value: 2 }]],
  [false, { a: 1 }],
])('may be a chart: %s, for %j', (may, value) => {
  expect(mayChart(value)).toBe(may)
})

test('a ranking keeps the order of the tool and scales to the largest value, or to the declared maximum', () => {
  const value = [
    { rank: 1, name: 'a', score: 8, effort: 3 },
    { rank: 2, name: 'b', score: 4, effort: null },
    { rank: 3, name: 'c', score: -1, effort: 1 },
  ]
  const ranking = toRanking(value, { columns: [{ key: 'effort', unit: 'days' }] })
  expect(ranking).toEqual({
    by: 'Score',
    items: [
      {
        place: 1,
        name: 'a',
        said: '8',
        share: 1,
        isNegative: false,
        details: [{ label: 'Effort', said: '3\u00A0days' }],
      },
      {
        place: 2,
        name: 'b',
        said: '4',
        share: 0.5,
        isNegative: false,
        details: [{ label: 'Effort', said: '—' }],
      },
      {
        place: 3,
        name: 'c',
        said: '-1',
        share: 0.125,
        isNegative: true,
        details: [{ label: 'Effort', said: '1\u00A0day' }],
      },
    ],
  })
  const shares = toRanking(value, { ranking: { by: 'score', max: 16 } })?.items.map(
    ({ share }) => share,
  )
  expect(shares).toEqual([0.5, 0.25, 0.0625])
})

test('rows are sorted by what they hold, missing last both ways, equal ones as they came', () => {
  const rows: JsonObject[] = [{ a: 'b10' }, { a: null }, { a: 'b9' }, { b: 1 }, { a: 'B9', c: 1 }]
  const sorted = (isDescending: boolean) => sortRows(rows, { key: 'a', isDescending })
  expect(sorted(false)).toEqual([rows[2], rows[4], rows[0], rows[1], rows[3]])
  expect(sorted(true)).toEqual([rows[0], rows[2], rows[4], rows[1], rows[3]])
  expect(sortRows(rows, undefined)).toBe(rows)
})

test('two thousand columns are kept, and hidden ones are left out', () => {
  const wide = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`c${index}`, index]))
  expect(toTable([wide])?.columns).toHaveLength(2000)
  expect(toTable([wide], [{ key: 'c0', hidden: true }])?.columns).toHaveLength(1999)
})

test('the first bytes of a picture hold its size', () => {
  const png = (width: number, height: number) => {
    const bytes = new Uint8Array(33)
    new DataView(bytes.buffer).setUint32(16, width)
    new DataView(bytes.buffer).setUint32(20, height)
    return `data:image/png;base64,${btoa(String.fromCharCode(...bytes))}`
  }
  expect(pixelsOf(png(30_000, 30_000))).toBe(900_000_000)
  expect(pixelsOf('data:image/png;base64,')).toBeUndefined()
  expect(pixelsOf('data:image/webp;base64,AAAA')).toBeUndefined()
})
