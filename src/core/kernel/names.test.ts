import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCanonicalName, isToolName, toWireNames } from './names.ts'

const wirePattern = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

/** Few letters, so that names often collide; long and unusual ones in between. */
const anyName = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', '.', '_', ':', '-'), maxLength: 6 }),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom('a', '.', '_'), minLength: 60, maxLength: 70 }),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
)
const anyNames = fc.array(anyName, { maxLength: 60 })

test.each([
  ['file.read', true],
  ['calc', true],
  ['a-b_c.d9', true],
  ['a'.repeat(100), true],
  ['a'.repeat(101), false],
  ['', false],
  ['File.read', false],
  ['file.', false],
  ['file..read', false],
  ['9file', false],
  ['file.9', false],
  ['file.read\n', false],
  ['mcp:a:b', false],
])('%j is a canonical name: %s', (name, expected) => {
  expect(isCanonicalName(name)).toBe(expected)
})

test.each([
  ['file.read', true],
  ['mcp:github:create_issue', true],
  ['mcp:github:Repo/List.all', true],
  [`mcp:github:${'t'.repeat(128)}`, true],
  [`mcp:github:${'t'.repeat(129)}`, false],
  ['mcp:github:', false],
  ['mcp:github', false],
  ['mcp:git hub:x', false],
  ['mcp:github:a:b', false],
  ['mcp:github:a b', false],
  ['agent:support', true],
  ['agent:2nd-line', true],
  ['agent:', false],
  ['agent:a.b', false],
  ['acme:billing.refund', true],
  ['acme:Refund', false],
  ['group:fs', false],
  ['pack:web', false],
  [`acme:${'a'.repeat(96)}`, false],
])('%j is a tool name: %s', (name, expected) => {
  expect(isToolName(name)).toBe(expected)
})

test('names that collide get distinct forms, and the canonical-first keeps the plain one', () => {
  const wireNames = toWireNames(['a_b.c', 'a.b_c'])
  expect(wireNames.entries).toEqual([
    ['a.b_c', 'a_b_c'],
    ['a_b.c', 'a_b_c_smagex'],
  ])
  expect(wireNames.toCanonical('a_b_c')).toBe('a.b_c')
  expect(wireNames.toCanonical('a_b_c_smagex')).toBe('a_b.c')
})

test('a name that is already a wire name keeps it, so that looking up either kind is unambiguous', () => {
  fc.assert(
    fc.property(anyNames, (names) => {
      const wireNames = toWireNames(names)
      for (const [name, wireName] of wireNames.entries) {
        if (names.includes(wireName)) expect(name).toBe(wireName)
      }
    }),
  )
})

test('a real name that looks like a suffixed one keeps its form', () => {
  const wireNames = toWireNames(['a_b.c', 'a.b_c', 'a_b_c_smagex'])
  expect(wireNames.toWire('a_b_c_smagex')).toBe('a_b_c_smagex')
  expect(wireNames.toWire('a_b.c')).toMatch(/^a_b_c_[a-z0-9]{7}$/)
})

test('a name that is too long is cut and ends in a hash of the whole', () => {
  const first = `mcp:server:${'x'.repeat(100)}1`
  const second = `mcp:server:${'x'.repeat(100)}2`
  const { entries } = toWireNames([first, second])
  expect(entries.map(([, wireName]) => wireName.length)).toEqual([64, 64])
  expect(new Set(entries.map(([, wireName]) => wireName)).size).toBe(2)
})

test('an unknown name has no translation in either direction', () => {
  const wireNames = toWireNames(['a.b'])
  expect([
    wireNames.toWire('a.c'),
    wireNames.toCanonical('a.b'),
    wireNames.toWire('__proto__'),
  ]).toEqual([undefined, undefined, undefined])
})

test('every set of names gets distinct valid wire names that map back', () => {
  fc.assert(
    fc.property(anyNames, (names) => {
      const wireNames = toWireNames(names)
      expect(wireNames.entries.map(([name]) => name)).toEqual([...new Set(names)].sort())
      expect(new Set(wireNames.entries.map(([, wireName]) => wireName)).size).toBe(
        new Set(names).size,
      )
      for (const name of names) {
        const wireName = wireNames.toWire(name) ?? ''
        expect(wireName).toMatch(wirePattern)
        expect(wireNames.toCanonical(wireName)).toBe(name)
      }
    }),
  )
})

test('the table does not depend on the order of the names', () => {
  const shuffled = anyNames.chain((names) =>
    fc.tuple(fc.constant(names), fc.shuffledSubarray(names, { minLength: names.length })),
  )
  fc.assert(
    fc.property(shuffled, ([names, others]) => {
      expect(toWireNames(others).entries).toEqual(toWireNames(names).entries)
    }),
  )
})

test('an added name changes only the wire names it collides with', () => {
  fc.assert(
    fc.property(anyNames, anyName, (names, added) => {
      const before = toWireNames(names)
      const after = toWireNames([...names, added])
      const addedPlain = added.replace(/[^a-zA-Z0-9_-]/gu, '_').replace(/^(?![a-zA-Z_])/, '_')
      for (const [name, wireName] of before.entries) {
        const plain = name.replace(/[^a-zA-Z0-9_-]/gu, '_').replace(/^(?![a-zA-Z_])/, '_')
        if (plain !== addedPlain && wireName !== addedPlain)
          expect(after.toWire(name)).toBe(wireName)
      }
    }),
  )
})

test('4,096 colliding names get distinct forms', () => {
  const names = Array.from({ length: 4096 }, (_, bits) =>
    Array.from('abcdefghijkl', (letter, bit) => letter + ((bits >> bit) & 1 ? '.' : '_')).join(''),
  )
  expect(new Set(toWireNames(names).entries.map(([, wireName]) => wireName)).size).toBe(4096)
})
