import { expect, test } from 'vitest'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { offered } from '../../../core/search/offered.fixture.ts'
import { chooseStrict } from './choose-strict.ts'

/** A tool with so many keys, of which some are required. */
const tool = (
  name: string,
  [keys, required]: readonly [number, number],
  type: JsonValue = 'string',
) => {
  const names = Array.from({ length: keys }, (_, at) => `k${at}`)
  const { inputSchema, ...rest } = offered(name, [name, 'Does something.'])
  return {
    ...rest,
    inputSchema: {
      ...inputSchema,
      properties: Object.fromEntries(names.map((key) => [key, { type }])),
      required: names.slice(0, required),
      additionalProperties: false,
    },
  }
}

const names = (tools: Iterable<{ name: string }>) => [...tools].map(({ name }) => name)

test('no more tools are strict together than one grammar takes, whatever their order', () => {
  const tools = Array.from({ length: 30 }, (_, at) =>
    tool(`t.n${String(at).padStart(2, '0')}`, [1, 1]),
  )
  const chosen = names(chooseStrict(tools))
  expect(chosen).toEqual(names(tools.slice(0, 20)))
  expect(names(chooseStrict(tools.toReversed()))).toEqual(chosen)
})

test('tools with the fewest optional keys come first, and ten of these in all', () => {
  const tools = [
    tool('a.six', [6, 0]),
    tool('b.five', [7, 2]),
    tool('c.none', [2, 2]),
    tool('d.four', [4, 0]),
  ]
  expect(names(chooseStrict(tools))).toEqual(['c.none', 'd.four', 'b.five'])
})

test('unions count, and what can not be strict takes no place', () => {
  const nullable = tool('a.nullable', [17, 17], ['string', 'null'])
  const open = tool('b.open', [1, 1], 'object')
  expect(names(chooseStrict([nullable, open, tool('c.plain', [1, 1])]))).toEqual(['c.plain'])
})
