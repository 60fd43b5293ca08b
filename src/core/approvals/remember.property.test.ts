import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../kernel/json.ts'
import type { Approval, RememberRequest } from './approval.ts'
import { matchesPattern } from './match-input.ts'
import { type RememberedCall, findRemembered, maxRememberMs, toApprovalRule } from './remember.ts'
import { restoreRedacted } from './restore-redacted.ts'

const at = Date.parse('2026-01-01T00:00:00.000Z')
const hour = 3_600_000

const word = fc.constantFrom('a', 'b', 'c', 'ab', '*', 'a*b', '')
const { value: json } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(word, fc.integer({ min: 0, max: 3 }), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }) as fc.Arbitrary<JsonValue>,
    fc.dictionary(word, tie('value'), { maxKeys: 3 }) as fc.Arbitrary<JsonValue>,
  ),
}))
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'toString'), json, {
  maxKeys: 4,
})

function approvalOf(input: JsonValue, more: Partial<Approval> = {}): Approval {
  return {
    id: 'appr_1',
    tenant: 't',
    callId: 'call_1',
    tool: 'file.write',
    input,
    revision: 0,
    reasons: ['one', 'two'],
    requestedBy: { principal: { kind: 'user', id: 'u' }, agent: 'a' },
    status: 'pending',
    createdAt: '',
    expiresAt: '',
    needed: 1,
    isRequesterBarred: false,
    decisions: [],
    ...more,
  }
}

function callOf(input: JsonValue, more: Partial<RememberedCall> = {}): RememberedCall {
  return {
    tenant: 't',
    tool: 'file.write',
    effect: 'write',
    agent: 'a',
    principal: { kind: 'user', id: 'u' },
    input,
    reasons: ['one', 'two'],
    ...more,
  }
}

const by = { kind: 'user', id: 'anna' } as const
const remember = (
  input: JsonValue,
  match?: RememberRequest['match'],
  approval = approvalOf(input),
) => toApprovalRule({ for: '1h', ...(match && { match }) }, { approval, effect: 'write', by, at })

describe('a remembered approval', () => {
  test('covers the very same call until it expires, and not a moment longer', () => {
    fc.assert(
      fc.property(object, (input) => {
        const rules = [remember(input)]
        expect(findRemembered(rules, callOf(input), at)).toBe(rules[0])
        expect(findRemembered(rules, callOf(input), at + hour - 1)).toBe(rules[0])
        expect(findRemembered(rules, callOf(input), at + hour)).toBeUndefined()
      }),
    )
  })

  test.each<[string, Partial<RememberedCall>]>([
    ['tenant', { tenant: 'other' }],
    ['tool', { tool: 'file.writes' }],
    ['agent', { agent: 'b' }],
    ['caller without an agent', { agent: undefined }],
    ['reason to ask', { reasons: ['one', 'three'] }],
  ])('never covers another %s, for any remembered input', (_what, change) => {
    const matches = fc.constantFrom<RememberRequest['match']>('same-input', 'any-input', {})
    fc.assert(
      fc.property(object, matches, (input, match) => {
        expect(findRemembered([remember(input, match)], callOf(input, change), at)).toBeUndefined()
      }),
    )
  })

  test('for a call without an agent covers its principal only', () => {
    const principal = { kind: 'user', id: 'u' } as const
    const rule = remember({}, undefined, approvalOf({}, { requestedBy: { principal } }))
    const call = (more: Partial<RememberedCall>) =>
      findRemembered([rule], callOf({}, { agent: undefined, ...more }), at)
    expect(call({})).toBe(rule)
    expect(call({ principal: { kind: 'user', id: 'v' } })).toBeUndefined()
    expect(call({ principal: { kind: 'key', id: 'u' } })).toBeUndefined()
    expect(call({ agent: 'a' })).toBeUndefined()
  })

  test('for the same input covers no other input', () => {
    fc.assert(
      fc.property(object, object, (input, other) => {
        const isSame = JSON.stringify(sorted(input)) === JSON.stringify(sorted(other))
        const covered = findRemembered([remember(input)], callOf(other), at)
        expect(covered !== undefined).toBe(isSame)
      }),
    )
  })

  test('that is revoked covers nothing', () => {
    const rule = { ...remember({ a: 1 }), revokedAt: '2026-01-01T00:00:00.000Z' }
    expect(findRemembered([rule], callOf({ a: 1 }), at)).toBeUndefined()
  })

  test('never covers a destructive tool by its name alone, even if it became destructive later', () => {
    fc.assert(
      fc.property(object, (input) => {
        const call = callOf(input, { effect: 'destructive' })
        for (const match of ['any-input' as const, {}]) {
          expect(findRemembered([remember(input, match)], call, at)).toBeUndefined()
        }
      }),
    )
  })

  test('lasts thirty days at most and is not created by one of several approvers', () => {
    const make = (length: string, needed = 1) =>
      toApprovalRule(
        { for: length },
        { approval: approvalOf({}, { needed }), effect: 'write', by, at },
      )
    expect(Date.parse(make('30d').expiresAt) - at).toBe(maxRememberMs)
    expect(() => make('30.001d')).toThrow('at most 30d')
    expect(() => make('1h', 2)).toThrow('several people')
  })
})

describe('a pattern', () => {
  test('without stars matches itself, and values with more fields', () => {
    fc.assert(
      fc.property(object, object, (pattern, more) => {
        fc.pre(!JSON.stringify(pattern).includes('*'))
        expect(matchesPattern(pattern, pattern)).toBe(true)
        expect(matchesPattern(pattern, { ...more, ...pattern })).toBe(true)
      }),
    )
  })

  test('does not match a value that lacks one of its fields', () => {
    fc.assert(
      fc.property(object, fc.constantFrom('a', 'b', '__proto__', 'toString'), (pattern, key) => {
        fc.pre(Object.hasOwn(pattern, key))
        const { [key]: _gone, ...rest } = pattern
        expect(matchesPattern(pattern, rest)).toBe(false)
      }),
    )
  })

  test.each<[JsonValue, JsonValue, boolean]>([
    [{ path: '/tmp/*' }, { path: '/tmp/a/b', n: 1 }, true],
    [{ path: '/tmp/*' }, { path: '/var/tmp/a' }, false],
    [{ path: '/tmp/*' }, { path: ['/tmp/a'] }, false],
    [{ path: '*' }, { path: 5 }, false],
    [{ n: 1 }, { n: '1' }, false],
    [{ n: null }, {}, false],
    [{ list: ['a', '*'] }, { list: ['a', 'b'] }, true],
    [{ list: ['a'] }, { list: ['a', 'b'] }, false],
    [{ in: { a: 1 } }, { in: { a: 1, b: 2 } }, true],
    [{ in: { a: 1 } }, { in: [1] }, false],
  ])('%j on %j: %s', (pattern, value, isMatch) => {
    expect(matchesPattern(pattern, value)).toBe(isMatch)
  })
})

test('an edit without changes restores the original, and only shown values are restored', () => {
  fc.assert(
    fc.property(object, object, (shown, raw) => {
      expect(restoreRedacted(shown, shown, raw)).toEqual(raw)
    }),
  )
  const shown = { key: '[redacted:k]', list: ['[redacted:k]', 'b'], n: 1 }
  const raw = { key: 'sk', list: ['sk', 'b'], n: 1 }
  expect(restoreRedacted({ ...shown, n: 2 }, shown, raw)).toEqual({ ...raw, n: 2 })
  expect(restoreRedacted({ key: 'mine', list: shown.list, n: 1 }, shown, raw)).toEqual({
    key: 'mine',
    list: ['sk', 'b'],
    n: 1,
  })
  expect(restoreRedacted({ other: '[redacted:k]' }, shown, raw)).toEqual({ other: '[redacted:k]' })
})

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  // Within an object, so that an empty one is not mistaken for an empty list.
  return { entries: entries.map(([key, part]) => [key, sorted(part)]) }
}
