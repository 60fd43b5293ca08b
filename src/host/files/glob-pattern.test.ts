import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compilePathGlob } from './glob-pattern.ts'

const paths = ['a.ts', 'src/a.ts', 'src/b/c.ts', 'src/b/c.js', '.github/x.yml', 'é/🎉.md', 'a{b}']
const matching = (pattern: string) => paths.filter(compilePathGlob(pattern))

test('stars, question marks, classes, folders and alternatives match as documented', () => {
  expect(matching('*.ts')).toEqual(['a.ts'])
  expect(matching('**/*.ts')).toEqual(['a.ts', 'src/a.ts', 'src/b/c.ts'])
  expect(matching('src/**')).toEqual(['src/a.ts', 'src/b/c.ts', 'src/b/c.js'])
  expect(matching('**/c.{ts,js}')).toEqual(['src/b/c.ts', 'src/b/c.js'])
  expect(matching('src/{a,b/{c,d}}.ts')).toEqual(['src/a.ts', 'src/b/c.ts'])
  expect(matching('[!s]*/?*')).toEqual(['.github/x.yml', 'é/🎉.md'])
  expect(matching('é/?.md')).toEqual(['é/🎉.md'])
  expect(matching('s[p-t]c/[]a].ts')).toEqual(['src/a.ts'])
  expect(matching('a\\{b\\}')).toEqual(['a{b}'])
  expect(matching('./src//a.ts')).toEqual(['src/a.ts'])
  expect(matching('**')).toEqual(paths)
})

test('a pattern that can not be meant well is refused', () => {
  const bad = ['/etc/*', '../*', 'a/../b', '[a', '{a', '', 'x'.repeat(1025), '{a,b}'.repeat(7)]
  for (const pattern of [...bad, 'a/'.repeat(65)]) {
    expect(() => compilePathGlob(pattern), pattern.slice(0, 20)).toThrow(/pattern/)
  }
})

test('hostile patterns take no time', () => {
  const began = performance.now()
  expect(compilePathGlob('*a'.repeat(300))(`${'a'.repeat(250)}b`)).toBe(false)
  expect(compilePathGlob(`${'**/a/'.repeat(30)}b`)('a/'.repeat(2000))).toBe(false)
  expect(performance.now() - began).toBeLessThan(2000)
})

/** The plain meaning, which may take exponential time. */
function isMatch(pattern: readonly string[], names: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return names.length === 0
  if (first !== '**') {
    const [name, ...others] = names
    return name !== undefined && isNameMatch(first, name) && isMatch(rest, others)
  }
  if (rest.length === 0) return names.length > 0
  return isMatch(rest, names) || (names.length > 0 && isMatch(pattern, names.slice(1)))
}

function isNameMatch(pattern: string, name: string): boolean {
  const [first] = pattern
  if (first === undefined) return name === ''
  if (first === '*') {
    return (
      isNameMatch(pattern.slice(1), name) || (name !== '' && isNameMatch(pattern, name.slice(1)))
    )
  }
  return (
    name !== '' &&
    (first === '?' || first === name[0]) &&
    isNameMatch(pattern.slice(1), name.slice(1))
  )
}

test('every pattern matches exactly what its plain meaning matches', () => {
  const word = (chars: string[], min: number) =>
    fc.string({ unit: fc.constantFrom(...chars), minLength: min, maxLength: 5 })
  const part = fc.oneof(fc.constant('**'), word(['a', 'b', '*', '?'], 1))
  const names = fc.array(word(['a', 'b'], 1), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), names, (pattern, found) => {
      // Three stars in a row are not folders, and two are only if they are the whole name.
      const plain = pattern.map((one) => (one === '**' ? one : one.replaceAll(/\*+/g, '*')))
      expect(compilePathGlob(plain.join('/'))(found.join('/'))).toBe(isMatch(plain, found))
    }),
    { numRuns: 2000 },
  )
})
