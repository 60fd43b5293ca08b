import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { boundZod } from './bound-zod.ts'
import { readWith } from './read-with.ts'
import { toJsonSchema } from './to-json-schema.ts'
import { toInputParser } from './to-parser.ts'

type Tree = { name: string; children: Tree[] }

/** Created for each use: parsing a bounded schema proves nothing about an unbounded one. */
function makeSchemas(): Record<string, z.ZodType> {
  const cell = z.union([z.string(), z.object({ n: z.number().max(5) })])
  const tree: z.ZodType<Tree> = z.lazy(() =>
    z.object({ name: z.string(), children: z.array(tree) }),
  )
  return {
    plain: z.array(z.string()),
    refined: z.array(z.number().refine((value) => value < 3)).refine((list) => list.length < 400),
    forgiving: z.array(z.array(z.number()).catch([])),
    either: z.union([z.array(cell), z.array(z.number())]),
    shared: z
      .object({ cells: z.array(cell), others: z.array(z.union([cell, z.number()])) })
      .partial(),
    record: z.record(z.string(), cell),
    numbered: z.record(z.number(), z.string()),
    loose: z.object({ a: cell.optional() }).catchall(cell),
    tuple: z.tuple([z.string()]).rest(cell),
    tree,
    piped: z.array(z.string().transform(Number).pipe(z.number().max(9))),
  }
}

const scalar = fc.constantFrom<unknown>('x', '1', 7, 1, null, { n: 1 }, { n: 9 }, [1], ['x'])
const long = fc
  .tuple(scalar, scalar, fc.integer({ min: 0, max: 260 }))
  .map(([a, b, count]) => [a, ...Array.from({ length: count }, () => b)])
const record = long.map((list) => Object.fromEntries(list.map((item, index) => [index, item])))
const value = fc.oneof(
  long,
  record,
  fc.record({ cells: long, others: long }),
  fc.record({ name: fc.constant('x'), children: long }),
)

test('valid and invalid values stay the same, and so does the result', () => {
  const free = makeSchemas()
  const bounded = makeSchemas()
  for (const schema of Object.values(bounded)) boundZod(schema)
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(free)), value, (name, given) => {
      const expected = free[name]?.safeParse(given)
      const got = bounded[name]?.safeParse(given)
      expect([got?.success, got?.data]).toEqual([expected?.success, expected?.data])
      const isShort = JSON.stringify(given).length < 100
      if (isShort) expect(got?.error?.issues).toEqual(expected?.error?.issues)
    }),
    { numRuns: 500 },
  )
})

const wrong = Array.from({ length: 400_000 }, () => 1)

test.each([
  ['wrong rows', z.object({ a: z.string(), b: z.number().nullable() })],
  ['a rule of the author', z.number().refine((item) => item > 1)],
  [
    'a union',
    z.union([z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') }), z.string()]),
  ],
])('400,000 items against %s stop after a hundred findings', (_, item) => {
  const schema = z.object({ items: z.array(z.array(item)) })
  const parse = toInputParser(schema, toJsonSchema(schema, 'input'))
  // The best of several tries: a worker of tests has other threads, and beside others it is slower.
  let bestMs = Infinity
  let result = parse({ items: [wrong, wrong] })
  for (let round = 0; round < 10 && bestMs >= 2000; round += 1) {
    const { user } = process.cpuUsage()
    result = parse({ items: [wrong, wrong] })
    bestMs = Math.min(bestMs, (process.cpuUsage().user - user) / 1000)
  }
  expect(bestMs).toBeLessThan(2000)
  expect(result.ok ? [] : result.issues).toHaveLength(101)
  expect(result.ok ? {} : result.issues.at(-1)).toEqual({
    path: '',
    message: 'Only the first 100 problems are listed; there are more',
  })
})

test('an unknown key is named, a thousand of them are cut', () => {
  const given = Object.fromEntries(wrong.slice(0, 50_000).map((_, index) => [`key${index}`, 1]))
  const result = readWith(z.strictObject({}), given)
  const [issue] = result.ok ? [] : result.issues
  expect(issue?.message).toMatch(/^Unrecognized keys: "key0", .*…$/)
  expect(issue?.message).toHaveLength(1001)
})
