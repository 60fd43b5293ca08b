import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGlob } from '../kernel/text/glob.ts'
import { compilePattern, compilePatterns } from './patterns.ts'

const read = { name: 'file.read', pack: 'file' }

test.each([
  ['file.read', 'file.read', true],
  ['file.read', 'file.reader', false],
  ['file.read', 'my.file.read', false],
  ['file.*', 'file.read', true],
  ['file.*', 'file.a.b', true],
  ['file.*', 'fileread', false],
  ['file.*', 'filexread', false],
  ['*.list', 'file.list', true],
  ['*.list', 'file.listing', false],
  ['mcp:github:*', 'mcp:github:issues/list', true],
  ['mcp:github:*', 'mcp:gitlab:issues', false],
  ['*', 'agent:writer', true],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*c', 'a.c.b.c', true],
  ['a*b*c', 'a.c.b', false],
  ['**', 'file.read', true],
  ['FILE.READ', 'file.read', false],
])('the pattern %s on the name %s: %s', (pattern, name, fits) => {
  expect(compilePattern(pattern, {})({ name, pack: 'any' })).toBe(fits)
})

test('pack: matches the pack that contains a tool, whatever its name', () => {
  const inWeb = compilePattern('pack:web', {})
  expect(inWeb({ name: 'fetch', pack: 'web' })).toBe(true)
  expect(inWeb({ name: 'web.fetch', pack: 'other' })).toBe(false)
})

test('group: expands to the patterns of a built-in or a given group, also through other groups', () => {
  const groups = { readers: ['*.list', 'group:fs'], round: ['group:about'], about: ['group:round'] }
  expect(compilePattern('group:fs', {})(read)).toBe(true)
  expect(compilePattern('group:readers', groups)(read)).toBe(true)
  expect(compilePattern('group:readers', groups)({ name: 'web.list', pack: 'web' })).toBe(true)
  expect(compilePattern('group:round', groups)(read)).toBe(false)
})

test('a set returns the pattern as it was written', () => {
  const set = compilePatterns(['shell.*', 'group:fs', 'file.read'], {})
  expect([
    set.find(read),
    set.find({ name: 'file.list', pack: 'file' }),
    set.find({ name: 'shell.run', pack: 'shell' }),
    set.find({ name: 'web.fetch', pack: 'web' }),
  ]).toEqual(['file.read', 'group:fs', 'shell.*', undefined])
})

test('a former name of a tool is found only on request', () => {
  const set = compilePatterns(['file.open'], {})
  const renamed = { ...read, aliases: ['file.open'] }
  expect([set.find(renamed), set.findUnderAnyName(renamed)]).toEqual([undefined, 'file.open'])
})

test.each([
  ['', 'A pattern is empty; to match every tool, write *'],
  ['x'.repeat(201), 'A pattern has 201 characters; the limit is 200'],
  [
    'file read',
    'Malformed pattern "file read"; write a tool\'s name, * for any characters, group:<name> or pack:<name>',
  ],
  [
    '(a+)+$',
    'Malformed pattern "(a+)+$"; write a tool\'s name, * for any characters, group:<name> or pack:<name>',
  ],
  ['group:', 'Malformed pattern "group:"; group: is followed by one name, without *'],
  ['pack:we*', 'Malformed pattern "pack:we*"; pack: is followed by one name, without *'],
  [
    'group:memroy',
    'Unknown group "memroy"; did you mean "memory"? Known: admin, browser, fs, git, knowledge, media, memory, runtime, session, web',
  ],
  [
    'group:__proto__',
    'Unknown group "__proto__"; Known: admin, browser, fs, git, knowledge, media, memory, runtime, session, web',
  ],
])('the pattern %j is refused', (pattern, message) => {
  expect(() => compilePattern(pattern, {})).toThrow(
    expect.objectContaining({ code: 'invalid_policy', message }),
  )
})

test('lists that are too long to match quickly are refused', () => {
  const names = Array.from({ length: 10_001 }, (_, index) => `a.t${index}`)
  const globs = names.slice(0, 1_001).map((name) => `${name}.*`)
  for (const list of [names, globs]) {
    expect(() => compilePatterns(list, {})).toThrow(
      expect.objectContaining({ code: 'invalid_policy' }),
    )
  }
  expect(compilePatterns(names.slice(1), {}).find({ name: 'a.t9999', pack: 'a' })).toBe('a.t9999')
})

test('groups of groups expand to no list too long to compile quickly', () => {
  const names = (at: number) => Array.from({ length: 100 }, (_, index) => `p${at}.n${index}`)
  const groups = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `g${at}`,
      at === 0 ? names(at) : [`group:g${at - 1}`, ...names(at)],
    ]),
  )
  expect(compilePatterns(['group:g100'], groups).find({ name: 'p7.n7', pack: 'p7' })).toBe(
    'group:g100',
  )
  expect(() => compilePatterns(['group:g299'], groups)).toThrow('too many patterns')
  const all = Object.keys(groups).map((name) => `group:${name}`)
  expect(() => compilePatterns(all, groups)).toThrow('too many patterns')
})

test('no pattern can make matching slow', () => {
  const fits = compileGlob(`${'a*'.repeat(99)}b`)
  const startedAt = cpuMs()
  for (let round = 0; round < 1_000; round++) fits('a'.repeat(200))
  // A backtracking matcher would need longer than the age of the universe for the first of these.
  expect(cpuMs() - startedAt).toBeLessThan(1_000)
})

/**
 * The definition, implemented naively: a star matches any number of characters, tried one by one.
 */
function fitsSlowly(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] !== '*') {
    return text[0] === pattern[0] && fitsSlowly(pattern.slice(1), text.slice(1))
  }
  return fitsSlowly(pattern.slice(1), text) || (text !== '' && fitsSlowly(pattern, text.slice(1)))
}

const text = (letters: string) =>
  fc.array(fc.constantFrom(...letters), { maxLength: 10 }).map((parts) => parts.join(''))

test('a glob agrees with the definition on every pattern and text', () => {
  fc.assert(
    fc.property(text('ab.*'), text('ab.'), (pattern, name) => {
      expect(compileGlob(pattern)(name)).toBe(fitsSlowly(pattern, name))
    }),
    { numRuns: 5_000 },
  )
})

test('a set matches a tool exactly when one of its patterns does', () => {
  const pattern = fc.oneof(
    text('ab.*').filter((written) => written !== ''),
    fc.constantFrom('pack:a', 'pack:b', 'group:one', 'group:two'),
  )
  const groups = { one: ['a.*', 'group:two'], two: ['pack:b'] }
  fc.assert(
    fc.property(
      fc.array(pattern),
      text('ab.'),
      fc.constantFrom('a', 'b', 'c'),
      (list, name, pack) => {
        const found = compilePatterns(list, groups).find({ name, pack })
        const fitting = list.filter((one) => compilePattern(one, groups)({ name, pack }))
        expect(found === undefined ? fitting : fitting.includes(found)).toEqual(
          found === undefined ? [] : true,
        )
      },
    ),
    { numRuns: 2_000 },
  )
})

/** Of this process: other tests running at the same time do not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
