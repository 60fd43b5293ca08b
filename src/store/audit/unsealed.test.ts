import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startPosition } from '../log/events/event-cursor.ts'
import type { WrittenRow } from '../log/writing/written-row.ts'
import { createUnsealed } from './unsealed.ts'

const era = 3

function rowOf(xid: number, number: number, more: Partial<WrittenRow> = {}): WrittenRow {
  return {
    tenant: 't',
    xid: String(xid),
    stream: number.toString(16).padStart(32, '0'),
    firstSeq: 1,
    lastSeq: 2,
    isCall: true,
    sessionId: null,
    agent: null,
    principal: 'user:anna',
    types: 'call.requested call.started',
    items: `[${number}]`,
    latestMs: number,
    usage: [],
    ...more,
  }
}

test('the order in which rows were noted does not matter, only their place in the feed', () => {
  const places = fc.uniqueArray(fc.tuple(fc.nat(5), fc.nat(50)), { minLength: 1, selector: String })
  fc.assert(
    fc.property(places, fc.infiniteStream(fc.nat()), (all, seeds) => {
      const inOrder = all.toSorted(([a, m], [b, n]) => a - b || m - n)
      const shuffled = all
        .map((place) => ({ place, key: seeds.next().value ?? 0 }))
        .toSorted((left, right) => left.key - right.key)
        .map(({ place }) => place)
      const [one, other] = [createUnsealed(era), createUnsealed(era)]
      one.add(inOrder.map(([xid, number]) => rowOf(xid, number)))
      for (const [xid, number] of shuffled) other.add([rowOf(xid, number)])
      const expected = one.next('t', startPosition, null)
      const [xid, number] = inOrder.at(-1) ?? [0, 0]
      expect(other.next('t', startPosition, null)).toEqual(expected)
      expect(expected).toMatchObject({
        rows: all.length,
        events: all.length * 2,
        position: { era, xid: String(xid), stream: rowOf(xid, number).stream, seq: 2 },
      })
    }),
  )
})

test('rows that an open transaction may still overtake are left for later', () => {
  const unsealed = createUnsealed(era)
  unsealed.add([rowOf(7, 1), rowOf(8, 2), rowOf(9, 3)])
  expect(unsealed.next('t', startPosition, '9')?.rows).toBe(2)
  expect(unsealed.next('t', startPosition, '7')).toBeUndefined()
  expect(unsealed.next('t', startPosition, null)?.rows).toBe(3)
})

test('a transaction that was sealed in part is not used again', () => {
  const unsealed = createUnsealed(era)
  unsealed.add([rowOf(7, 1), rowOf(7, 2), rowOf(8, 3)])
  const { stream } = rowOf(7, 1)
  unsealed.forget('t', { era, xid: '7', stream, seq: 2 })
  expect(unsealed.next('t', { era, xid: '7', stream, seq: 2 }, null)?.rows).toBe(1)
})

test('rows that nobody seals do not fill the memory', () => {
  const unsealed = createUnsealed(era)
  for (let xid = 1; xid <= 1_100; xid += 1) {
    unsealed.add(Array.from({ length: 50 }, (_, number) => rowOf(xid, number)))
  }
  const seen = unsealed.next('t', startPosition, null)
  expect(seen?.isFull).toBe(true)
  expect(Number(seen?.position.xid)).toBeGreaterThan(1_000)
})
