import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventTypes } from '../../../features/event-types.ts'
import { madeUp } from '../../contract/records.ts'
import { expandChunk, expandPlain, toChunk } from './event-chunks.ts'

const stream = '01a1e055-6e6b-71d1-b867-66d7ea0e03d2'

function rowOf(chunk: { count: number; types: string; items: string }, isCall = true) {
  const facts = ['t', '0', '7', stream, '1', String(chunk.count), String(isCall)]
  return [...facts, null, 'support', 'key:k', chunk.types, chunk.items]
}

test('the plain events are the readable ones without cursor and text of time', () => {
  const event = fc.record({
    type: fc.constantFrom(...eventTypes),
    at: fc.integer({ min: 0, max: 4e12 }),
    data: fc.jsonValue(),
  })
  fc.assert(
    fc.property(fc.array(event, { minLength: 1 }), fc.boolean(), (events, isCall) => {
      for (const one of events) madeUp.add(one)
      const row = rowOf(toChunk(events as never), isCall)
      const readable = expandChunk(row).map(({ id: _id, seq: _seq, tenant: _tenant, ...rest }) => ({
        ...rest,
        at: Date.parse(rest.at),
      }))
      expect(expandPlain(row)).toEqual(readable)
    }),
  )
})

test.each(['{', 'null', '[1]', '[[null, {}]]', '[["soon", {}]]', '[[1e300, {}]]', '{"a":1}'])(
  'a row that somebody made %s holds nothing, and stops nobody',
  (items) => {
    expect(expandPlain(rowOf({ count: 1, types: 'call.completed', items }))).toEqual([])
  },
)
