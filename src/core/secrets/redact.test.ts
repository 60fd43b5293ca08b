import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRedactor, emptyRedactor } from './redact.ts'

const secret = `p"a's/s+w ö<r>d&\\😀`
const redactor = createRedactor({ key: secret })

test.each([
  ['raw', secret],
  ['JSON', JSON.stringify(secret).slice(1, -1)],
  ['JSON twice', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ['URL', encodeURIComponent(secret)],
  [
    'URL with small digits',
    encodeURIComponent(secret).replaceAll(/%../g, (hex) => hex.toLowerCase()),
  ],
  ['form', new URLSearchParams({ a: secret }).toString().slice(2)],
  ['hex', Buffer.from(secret).toString('hex')],
  ['capital hex', Buffer.from(secret).toString('hex').toUpperCase()],
  ['base64', Buffer.from(secret).toString('base64')],
  ['base64url', Buffer.from(secret).toString('base64url')],
  ['HTML', `p&quot;a&#39;s/s+w ö&lt;r&gt;d&amp;\\😀`],
  ['reversed', Array.from(secret).toReversed().join('')],
])('a secret is removed in its %s form', (_, form) => {
  expect(redactor.redactText(`before ${form} after`)).toBe('before [redacted:key] after')
})

test.each([0, 1, 2])('a secret %i bytes into base64 data is removed', (offset) => {
  const given = Buffer.from(`${'u'.repeat(offset)}hunter2-hunter2:rest`).toString('base64')
  const redacted = createRedactor({ key: 'hunter2-hunter2' }).redactText(given)
  expect(redacted).toMatch(/^.{0,3}\[redacted:key\].{5,10}$/)
})

test('keys, texts and numbers of a value are redacted, and members with equal keys afterwards are kept', () => {
  const { redactValue } = createRedactor({ pin: '123456', word: 'hunter2' })
  const given = {
    hunter2: 1,
    '327265746e7568': true,
    a: [91234567, 'x123456', null],
    'hunter2 ': 'ok',
  }
  expect(redactValue({ ...given, '68756e74657232': 2 })).toEqual({
    '[redacted:word]': 1,
    '327265746e7568': true,
    '[redacted:word] ': 'ok',
    '[redacted:word] 2': 2,
    a: ['9[redacted:pin]7', 'x[redacted:pin]', null],
  })
})

test('a value without secrets is returned as the same object', () => {
  const value = { a: [1, 'two', { three: null }] }
  expect(redactor.redactValue(value)).toBe(value)
})

test('a value nested without end neither overflows the stack nor passes', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}"hunter2"${']'.repeat(50_000)}`)
  const redacted = createRedactor({ key: 'hunter2' }).redactValue(deep)
  expect(JSON.stringify(redacted)).toBe(`${'['.repeat(1000)}"[too deep]"${']'.repeat(1000)}`)
})

test('a __proto__ member stays a member', () => {
  const value = JSON.parse('{"__proto__":"hunter2","a":1}')
  expect(JSON.stringify(createRedactor({ key: 'hunter2' }).redactValue(value))).toBe(
    '{"__proto__":"[redacted:key]","a":1}',
  )
})

test('overlapping secrets leave no piece of either', () => {
  const both = createRedactor({ first: 'abcdef', second: 'defghi', longer: 'abcdefgh' })
  expect(both.redactText('-abcdefghi- abcdef defghi')).toBe(
    '-[redacted:longer]- [redacted:first] [redacted:second]',
  )
})

test('a secret is found within the start of a longer one that does not continue', () => {
  const both = createRedactor({ longer: 'abcdefgh', shorter: 'cdef' })
  expect(both.redactText('abcdefx abcdefgh')).toBe('ab[redacted:shorter]x [redacted:longer]')
})

test('values shorter than four characters, including empty ones, are not searched for', () => {
  expect(createRedactor({ a: '', b: 'abc' })).toBe(emptyRedactor)
  expect([emptyRedactor.isEmpty, emptyRedactor.redactText('abc')]).toEqual([true, 'abc'])
})

test('a secret is found without its trailing line break', () => {
  expect(createRedactor({ key: 'hunter2\n' }).redactText('is hunter2.')).toBe('is [redacted:key].')
})

test.each(['redacted', '[redacted:key]', 'key]', '[reda', 'acted:ke', ']]]]', 'x[[[['])(
  'the secret %j is not spelled again by the marker that replaces it',
  (value) => {
    const marked = createRedactor({ key: value, other: 'hunter2' })
    for (const text of [value, `x${value}]]]`, `x[[[hunter2`, `hunter2]]]`]) {
      expect(marked.redactText(text)).not.toContain(value)
    }
  },
)

test('streamed text is released as soon as it cannot become a secret', () => {
  const stream = createRedactor({ key: 'hunter2' }).redactStream()
  expect([
    stream.push('hello h'),
    stream.push('un'),
    stream.push('t!'),
    stream.push('hunter2'),
    stream.end(),
  ]).toEqual(['hello ', '', 'hunt!', '[redacted:key]', ''])
})

test('a split surrogate pair is sent as one', () => {
  const stream = createRedactor({ key: 'hunter2' }).redactStream()
  expect([stream.push('a\ud83d'), stream.push('\ude00'), stream.end()]).toEqual(['a', '😀', ''])
})

/** Few letters, so that secrets overlap with themselves, each other and the markers. */
const anySecret = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '"', '/'), minLength: 4, maxLength: 8 }),
  fc.string({
    unit: fc.constantFrom('[', ']', 'r', 'e', 'd', ':', 'k', '0'),
    minLength: 4,
    maxLength: 6,
  }),
  fc.string({ unit: 'grapheme', minLength: 4, maxLength: 12 }),
  fc.string({ unit: 'binary', minLength: 4, maxLength: 12 }),
)
const anySecrets = fc
  .array(anySecret, { minLength: 1, maxLength: 3 })
  .map((values) => Object.fromEntries(values.map((value, index) => [`k${index}`, value])))

/** A text made of encodings of the secrets and noise, in random order, and the cuts into pieces. */
const anyCase = anySecrets.chain((secrets) =>
  fc.record({
    secrets: fc.constant(secrets),
    pieces: fc.array(
      fc.oneof(
        fc.constantFrom(...Object.values(secrets).flatMap(listEncodings)),
        fc.string({ unit: fc.constantFrom('a', 'b', '[', ']', ':', '=', '"'), maxLength: 5 }),
        fc.string({ unit: 'binary', maxLength: 5 }),
      ),
      { maxLength: 12 },
    ),
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
  }),
)

test('no listed encoding of a secret is left, in any surrounding text', () => {
  fc.assert(
    fc.property(anyCase, ({ secrets, pieces }) => {
      const redacted = createRedactor(secrets).redactText(pieces.join(''))
      for (const form of Object.values(secrets).flatMap(listEncodings)) {
        expect(redacted.includes(form), `${form} in ${redacted}`).toBe(false)
      }
    }),
    { numRuns: 1000 },
  )
})

test('any split of a text into chunks gives exactly the redacted whole', () => {
  fc.assert(
    fc.property(anyCase, ({ secrets, pieces, sizes }) => {
      const text = pieces.join('')
      const { redactText, redactStream } = createRedactor(secrets)
      const stream = redactStream()
      const chunks = cutBySizes(text, sizes).map((chunk) => stream.push(chunk))
      expect([...chunks, stream.end()].join('')).toBe(redactText(text))
    }),
    { numRuns: 1000 },
  )
})

test('exactly the characters of secrets are removed, as by a search for each one by one', () => {
  const letters = { unit: fc.constantFrom('a', 'b'), minLength: 4 }
  const anyWords = fc.array(fc.string({ ...letters, maxLength: 7 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(anyWords, fc.string({ ...letters, maxLength: 60 }), (words, text) => {
      const secrets = Object.fromEntries(words.map((word, index) => [`k${index}`, word]))
      const kept = createRedactor(secrets)
        .redactText(text)
        .replaceAll(/\[redacted:k\d\]/g, '|')
      expect(kept.replaceAll(/\|+/g, '|')).toBe(hideOneByOne(words, text))
    }),
    { numRuns: 500 },
  )
})

test('redacting twice changes nothing more, and a text without secrets is unchanged', () => {
  fc.assert(
    fc.property(anyCase, ({ secrets, pieces }) => {
      const { redactText } = createRedactor(secrets)
      const once = redactText(pieces.join(''))
      expect(redactText(once)).toBe(once)
    }),
  )
})

test('a secret and a text of equal letters cost no more than others', () => {
  const equal = createRedactor({ key: `${'a'.repeat(5000)}b${'a'.repeat(5000)}` })
  const start = cpuMs()
  expect(equal.redactText('a'.repeat(1_000_000)).length).toBe(1_000_000)
  expect(cpuMs() - start).toBeLessThan(3000)
})

const grows: [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['as JSON', (text) => JSON.stringify({ text })],
  ['as base64', (text) => Buffer.from(text).toString('base64')],
  ['as hex', (text) => Buffer.from(text).toString('hex')],
  ['in an address', (text) => `https://example.com/?q=${encodeURIComponent(text)}&more=1`],
]

test.each(grows)('text that grows %s shows no revealing prefix of a secret', (_, encode) => {
  const key = 'abcdefgh12345678SECRETzz'
  const { redactPartial } = createRedactor({ key })
  const whole = `before ${key} after`
  const bytes = Buffer.from(`before ${key}`)
  const inHex = bytes.toString('hex').slice(14, 30)
  const beginnings = [key.slice(0, 8), inHex, bytes.toString('base64').slice(10, 22)]
  for (let length = 1; length <= whole.length; length += 1) {
    const shown = JSON.stringify(redactPartial({ [encode('t')]: encode(whole.slice(0, length)) }))
    for (const beginning of beginnings) expect(shown).not.toContain(beginning)
  }
  expect(redactPartial(whole)).toBe('before [redacted:key] after')
  expect(redactPartial(`see ${key.slice(0, 3)}`)).toBe(`see ${key.slice(0, 3)}`)
})

test('complete values are redacted like growing ones, and contain no prefix of a secret', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 12, maxLength: 20 })
  const around = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), maxLength: 30 })
  fc.assert(
    fc.property(fc.record({ key: word, before: around, after: around }), (given) => {
      const { key, before, after } = given
      const shown = createRedactor({ k: key }).redactPartial(`${before}${key}${after}`)
      expect(shown).not.toContain(key.slice(0, 6))
    }),
  )
})

/** The slow and simple algorithm, for secrets of letters in a text of letters. */
function hideOneByOne(words: readonly string[], text: string): string {
  const isHidden = Array.from(text, () => false)
  for (const word of words.flatMap((one) => [one, Array.from(one).toReversed().join('')])) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      isHidden.fill(true, at, at + word.length)
    }
  }
  return Array.from(text, (letter, index) => (isHidden[index] ? '|' : letter))
    .join('')
    .replaceAll(/\|+/g, '|')
}

function cutBySizes(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = []
  for (let start = 0, turn = 0; start < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(text.slice(start, start + size))
    start += size
  }
  return chunks
}

/** The encodings in which a secret must not appear, computed independently of the redactor. */
function listEncodings(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const url = encodeURIComponent(value)
  const bytes = Buffer.from(value)
  const inBase64 = [0, 1, 2].flatMap((offset) => {
    const around = Buffer.concat([Buffer.alloc(offset, 'u'), bytes, Buffer.from('zz')]).toString(
      'base64',
    )
    const known = around.slice(
      Math.ceil((offset * 4) / 3),
      Math.floor(((offset + bytes.length) * 4) / 3),
    )
    return [known, known.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    url,
    url.replaceAll(/%../g, (hex) => hex.toLowerCase()),
    url.replaceAll('%20', '+'),
    new URLSearchParams({ a: value }).toString().slice(2),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    ...inBase64,
    Array.from(value).toReversed().join(''),
  ]
}

/** Of this process: other tests running at the same time do not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
