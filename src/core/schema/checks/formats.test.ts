import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findFormat } from './formats.ts'

const dateTime = '2026-01-31T10:30:00Z'
const id = '0190a5b0-1111-7000-8000-000000000000'

/** For each format what fits, and what does not. */
const samples: Record<string, readonly [string[], string[]]> = {
  date: [
    ['2026-01-31', '2024-02-29', '2000-02-29'],
    ['2023-02-29', '1900-02-29', '2026-13-01', ''],
  ],
  time: [
    ['10:30:00Z', '10:30:00.5+01:30', '23:59:60Z', '00:59:60+01:00'],
    ['10:30:00', '24:00:00Z', '22:59:60Z'],
  ],
  'date-time': [
    [dateTime, '2026-01-31 10:30:00z'],
    ['2026-01-31', '2026-02-30T00:00:00Z', `${dateTime}T`],
  ],
  duration: [
    ['PT15M', 'P1Y2M3DT4H5M6S', 'P2W'],
    ['P', 'PT', 'P1', 'P1W2D', '15M'],
  ],
  uri: [
    [
      'https://a.example',
      'https://ada:pw@[::1]:80/a%20b//c?d=/e?#f/g',
      'urn:isbn:1',
      'http://[v1.x]/',
    ],
    [
      '/relative',
      'http://a b',
      'http://[::1',
      'http://a:b/',
      'http://%zz/',
      'http://a@b@c',
      'a:',
      'a:?b',
    ],
  ],
  'uri-reference': [
    ['', '/a/b', '../c?d#e', '//host:1/x', '#f'],
    ['a b', '#a#b', '//[::g]/', '//host:x/'],
  ],
  email: [
    ['ada@example.com', 'a.b+c@x.y.z'],
    ['ada@local', '.a@b.c', 'a@-b.c', 'a@b-.c', 'a@b@c.d', '@b.c'],
  ],
  hostname: [
    ['example.com', 'a.', 'a'.repeat(63)],
    ['', '.', '-a', 'a-', 'a'.repeat(64), 'a..b'],
  ],
  ipv4: [
    ['1.2.3.4', '255.255.255.255'],
    ['256.1.1.1', '01.2.3.4', '1.2.3', '1.2.3.4.5'],
  ],
  ipv6: [
    [
      '::',
      '::1',
      '1::',
      '1:2:3:4:5:6:7:8',
      '1:2:3:4:5:6:7::',
      '::ffff:1.2.3.4',
      '1:2:3:4:5:6:1.2.3.4',
    ],
    ['1.2.3.4::', '1:::2', '1::2::3', '12345::', '1:2:3:4:5:6:7:8::', ':1:2:3:4:5:6:7', '1:2'],
  ],
  uuid: [
    [id, `urn:uuid:${id.toUpperCase()}`],
    ['x', `${id}0`],
  ],
  'json-pointer': [
    ['', '/a/0', '/a~0b~1', '//'],
    ['/~', 'a'],
  ],
}

/** The verdict of another implementation of the same formats. */
function peer(name: string, text: string): boolean {
  const definition = fullFormats[name as 'date'] as unknown
  const check = (definition as { validate?: unknown }).validate ?? definition
  if (check instanceof RegExp) return check.test(text)
  return (check as (given: string) => boolean)(text)
}

/** A sample with some characters changed, removed or doubled: near the edge of what fits. */
const near = (texts: readonly string[]) =>
  fc
    .tuple(
      fc.constantFrom(...texts),
      fc.array(fc.tuple(fc.nat(40), fc.constantFrom(...'0159afzTZ:/.-~%@?#[]+ ', '', '::')), {
        maxLength: 3,
      }),
    )
    .map(([text, edits]) =>
      edits.reduce((so, [at, by]) => so.slice(0, at) + by + so.slice(at + 1), text),
    )

describe.each(Object.entries(samples))('the format %s', (name, [fitting, others]) => {
  const check = (text: string) => [text, findFormat(name)?.test(text)]

  test('takes what fits, and nothing else', () => {
    for (const text of fitting) expect(check(text)).toEqual([text, true])
    for (const text of others) expect(check(text)).toEqual([text, false])
  })

  test('agrees with a peer, also at the edges', () => {
    const property = fc.property(near([...fitting, ...others]), (text) => {
      fc.pre(!isDisputed(name, text))
      expect(check(text)).toEqual([text, peer(name, text)])
    })
    fc.assert(property, { numRuns: 2_000 })
  })
})

/** Where the peer departs from its RFC. */
function isDisputed(name: string, text: string): boolean {
  // It takes a bad authority for a path, and a quotation mark for a letter.
  if (name.startsWith('uri')) return /["[]|\/\/[^/]*[:@%]/.test(text)
  // Its leap seconds may be in minutes and hours that no clock has.
  return /:60/.test(text)
}

test('a text of any length is answered at once', () => {
  for (const name of Object.keys(samples)) {
    const check = findFormat(name)
    const startedAt = process.cpuUsage()
    for (const text of ['a.', '1:', '-', '/', '%20', 'a'].map((one) => one.repeat(65_536))) {
      check?.test(`a://${text}`)
      check?.test(text)
    }
    expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000)
  }
})
