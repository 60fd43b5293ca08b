import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PassingMap } from './passing-map.ts'

test('it holds what a plain map would, whatever comes and goes', () => {
  const change = fc.tuple(fc.constantFrom('set', 'delete', 'clear'), fc.nat(5), fc.nat())
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const plain = new Map<number, number>()
      const passing = new PassingMap<number, number>()
      for (const [kind, key, value] of changes) {
        if (kind === 'set') {
          plain.set(key, value)
          passing.set(key, value)
        } else if (kind === 'delete') expect(passing.delete(key)).toBe(plain.delete(key))
        else {
          plain.clear()
          passing.clear()
        }
        expect({
          size: passing.size,
          entries: [...passing.keys()].map((one) => [one, passing.get(one)]),
          values: [...passing.values()],
        }).toEqual({ size: plain.size, entries: [...plain], values: [...plain.values()] })
      }
    }),
  )
})
