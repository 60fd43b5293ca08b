import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../core/kernel/json.ts'
import { compileCondition } from '../../core/shapes/compile-condition.ts'
import type { ConditionColumns } from '../../core/shapes/condition-columns.ts'
import { type Condition, conditionOperators } from '../../core/shapes/condition.ts'
import { matches } from '../../core/shapes/matches.ts'
import { joinSql, toStatement } from '../../core/shapes/sql-piece.ts'
import { isStorable } from '../../core/shapes/storable.ts'
import { variants } from '../../../test/setup/run-length.ts'
import type { Engine } from '../engine/engine.ts'

const [numRuns = 10] = variants([12], [3_000])

const columns: ConditionColumns = {
  // The recordset below reads a null in JSON as no value, which a column of documents never is.
  entity: { type: 'json', sql: `coalesce(one.content, 'null')` },
  'row.title': { type: 'text', sql: 'one.title' },
  'row.total': { type: 'number', sql: 'one.total' },
  'row.ratio': { type: 'number', sql: 'one.ratio' },
  'row.count': { type: 'number', sql: 'one.count' },
  'row.flag': { type: 'boolean', sql: 'one.flag' },
}

/** The values that references stand for. */
const input = { ten: 10, title: 'ä', list: ['a', 10, null], none: null, broken: '\ud83d' }

const plainKeys = ['a', 'b', '0', '1']
const oddKeys = split(
  `-1|01|+1| 1|1e0|00|999999999|2147483648|| |\t|.|a.b|a'b|"|\\|{}|,|NULL|length|__proto__|constructor|ä|😀|\ufeff`,
)
const texts = split(
  `|a|A|Z|ab|b|ä|é|e\u0301|\uffff|😀|😁|9|10|null|%|_|\\|"|'; drop table calls; --|$1|{{|{{input.title}}|\ufeff|\u0001|İ|ß|2026-01-01|2026-01-01T00:00:00.000Z|2025-12-31T23:59:59+02:00`,
)
const brokenTexts = ['\0', 'a\0', '\ud83d', '\ude00', 'a\ud800b']
const small = [0, -0, 1, -1, 9, 10, 1.5, 0.1, 0.30000000000000004, 5e-324]
const large = [2 ** 53, 2 ** 53 + 2, -(2 ** 63), 1e21, Number.MAX_VALUE, -Number.MAX_VALUE]
const numbers = [...small, ...large]

const keys = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...plainKeys) },
  { weight: 1, arbitrary: fc.constantFrom(...oddKeys) },
)
const scalars: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom(...texts),
  fc.constantFrom(...numbers),
  fc.constantFrom(null, true, false),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const { json } = fc.letrec<{ json: JsonValue; list: JsonValue; object: JsonValue }>((tie) => ({
  json: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalars, tie('object'), tie('list')),
  list: fc.array(tie('json'), { maxLength: 3 }),
  // Defined and not assigned, so that `__proto__` is a key like the others.
  object: fc.array(fc.tuple(keys, tie('json')), { maxLength: 4 }).map(Object.fromEntries),
}))

const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null, freq: 4 })
const rows = fc.record({
  content: json.filter(isStorable),
  title: orNull(fc.constantFrom(...texts)),
  total: orNull(fc.constantFrom(...numbers)),
  ratio: orNull(fc.constantFrom(...numbers)),
  count: orNull(fc.maxSafeInteger()),
  flag: orNull(fc.boolean()),
})
type Row = typeof rows extends fc.Arbitrary<infer Value> ? Value : never

const fields = fc.oneof(
  { weight: 6, arbitrary: fc.array(keys, { maxLength: 3 }).map((path) => toPath('entity', path)) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom('title', 'total', 'ratio', 'count', 'flag')
      .map((name) => `row.${name}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'row.title.length',
      'row.flag.a',
      'entity["\\u0000"]',
      'entity["\\ud800"]',
    ),
  },
)
const values = fc.oneof(
  { weight: 8, arbitrary: json },
  { weight: 1, arbitrary: fc.constantFrom(...brokenTexts) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['ten', 'title', 'list', 'none', 'broken', 'absent'].map((name) => `{{input.${name}}}`),
    ),
  },
)
const comparisons: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ field: fields, operator: fc.constantFrom(...conditionOperators), value: values }),
  fc.record({
    field: fields,
    operator: fc.constant('in' as const),
    value: fc.array(values, { maxLength: 4 }),
  }),
  fc.record({ field: fields, operator: fc.constant('exists' as const), value: fc.boolean() }),
)
const { condition: conditions } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2 },
    comparisons,
    tie('condition').map((not) => ({ not })),
    fc.array(tie('condition'), { maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('condition'), { maxLength: 3 }).map((any) => ({ any })),
  ),
}))

/** Conditions mean the same in SQL as in JavaScript. */
export function describeConditions(engine: () => Engine): void {
  describe('conditions as SQL', () => {
    test('a condition holds in SQL for exactly the rows for which it holds in JavaScript', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(rows, { minLength: 1, maxLength: 12 }),
          fc.array(conditions, { minLength: 1, maxLength: 24 }),
          async (some, asked) => {
            const expected = some.map((row) => asked.map((one) => matches(one, rootsOf(row))))
            expect(await answersOf(engine(), some, asked)).toEqual(expected)
          },
        ),
        { numRuns },
      )
    })

    test('every value is found alone and in order', async () => {
      const others: JsonValue[] = [null, true, [], {}, ['a'], { a: 1 }]
      const pool = [...texts, ...numbers, ...others].filter(
        (value) => typeof value !== 'string' || !value.includes('{{'),
      )
      const some = pool.map((a) => toRow({ a }))
      for (const operator of ['eq', 'gte', 'lt', 'contains'] as const) {
        const asked = pool.map((value): Condition => ({ field: 'entity.a', operator, value }))
        const expected = some.map((row) => asked.map((one) => matches(one, rootsOf(row))))
        expect(await answersOf(engine(), some, asked), operator).toEqual(expected)
      }
    })
  })
}

function toRow(content: JsonValue): Row {
  return { content, title: null, total: null, ratio: null, count: null, flag: null }
}

/** One row as conditions see it; a null in a mapped column is missing. */
function rootsOf({ content, ...own }: Row) {
  const there = Object.entries(own).filter(([, value]) => value !== null)
  return { input, entity: content, row: Object.fromEntries(there) }
}

/** All answers in one statement, as JSON, in which a null would show. */
async function answersOf(
  { sql }: Engine,
  some: readonly Row[],
  asked: readonly Condition[],
): Promise<unknown[]> {
  const pieces = asked.map((one) => compileCondition(one, columns, { input }))
  const { text, values: parameters } = toStatement(joinSql(pieces, ', ', ''), 2)
  const { rows: found } = await sql.executeSql(
    `select json_build_array${text}::text as answers
      from rows from (jsonb_to_recordset(cast($1 as text)::jsonb)
        as (content jsonb, title text, total numeric, ratio float8, count bigint, flag boolean))
        with ordinality as one
      order by one.ordinality`,
    [JSON.stringify(some), ...parameters],
  )
  return found.map(({ answers }) => JSON.parse(String(answers)) as unknown)
}

function split(text: string): string[] {
  return text.split('|')
}

function toPath(root: string, path: readonly string[]): string {
  const quoted = path.map((key) => {
    const text = JSON.stringify(key).replaceAll('{', '\\u007b').replaceAll('}', '\\u007d')
    return `[${text}]`
  })
  return root + quoted.join('')
}
