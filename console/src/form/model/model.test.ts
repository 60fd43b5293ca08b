import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../api/json.ts'
import { toInput, withoutSecrets } from './clean.ts'
import { defaultOf, newValue, switchOption } from './defaults.ts'
import { drawnAt, noPicks } from './drawn.ts'
import { findIssues } from './find-issues.ts'
import { createModel } from './form-model.ts'
import { optionLabels, toLabel, toSingular } from './labels/labels.ts'
import { kindOf } from './kinds.ts'
import { isHarmless } from './patterns.ts'
import { changeAt } from './pointer.ts'
import type { Maybe } from './pointer.ts'

const drawnOf = (schema: unknown, value?: Maybe, picks = noPicks) => {
  const model = createModel(schema)
  return drawnAt(model, model.root, { value, pointer: '', picks })
}
const begins = (schema: unknown) => {
  const model = createModel(schema)
  return defaultOf(model, model.root, { isRequired: true })
}
const issuesOf = (schema: unknown, value: JsonValue) =>
  findIssues(createModel(schema), { value, pointer: '', picks: noPicks })

describe('the schema that applies', () => {
  test('merges references, allOf and the keywords beside them', () => {
    const schema = {
      $defs: { base: { type: 'string', title: 'Base', minLength: 2, maxLength: 9 } },
      allOf: [{ $ref: '#/$defs/base' }, { minLength: 4 }],
      title: 'Name',
    }
    expect(drawnOf(schema).schema).toEqual({
      type: 'string',
      title: 'Name',
      minLength: 4,
      maxLength: 9,
    })
  })

  test('follows the value through conditions and dependencies', () => {
    const schema: unknown = JSON.parse(
      '{"properties":{"a":{"type":"string"}},"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]},"dependentRequired":{"a":["d"]}}',
    )
    expect(drawnOf(schema, { a: 'x' }).schema['required']).toEqual(['b', 'd'])
    expect(drawnOf(schema, {}).schema['required']).toEqual(['c'])
  })

  test.each([
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    { type: ['string', 'null'] },
    { type: 'string', nullable: true },
    { oneOf: [{ type: 'null' }, { $ref: '#/$defs/text' }], $defs: { text: { type: 'string' } } },
  ])('that may be null is drawn as what it is otherwise: %j', (schema) => {
    const drawn = drawnOf(schema)
    expect([
      drawn.isNullable,
      drawn.pickers.length,
      kindOf(createModel(schema), drawn, ''),
    ]).toEqual([true, 0, 'text'])
  })

  test('that must not be null by one part is not by the whole', () => {
    const schema = { type: 'object', anyOf: [{ properties: { a: {} } }, { type: 'null' }] }
    expect(drawnOf(schema).isNullable).toBe(false)
  })
})

describe('a choice', () => {
  const options = {
    oneOf: [
      {
        type: 'object',
        required: ['kind'],
        properties: { kind: { const: 'a' }, x: { type: 'string' } },
      },
      {
        type: 'object',
        required: ['kind'],
        properties: { kind: { const: 'b' }, x: { type: 'string' }, y: { type: 'number' } },
      },
    ],
  }
  const indexOf = (schema: unknown, value: Maybe, picks = noPicks) =>
    drawnOf(schema, value, picks).pickers[0]?.index

  test('is made by the constant that a value carries', () => {
    expect(indexOf(options, { kind: 'b' })).toBe(1)
    expect(indexOf(options, { kind: 'b' }, new Map([['#0', 0]]))).toBe(1)
    expect(drawnOf(options, {}).pickers[0]?.discriminator).toBe('kind')
  })

  test('is otherwise what was picked, as long as the value may be of it', () => {
    const scalars = { anyOf: [{ type: 'string' }, { type: 'number' }] }
    expect(indexOf(scalars, undefined, new Map([['#0', 1]]))).toBe(1)
    expect(indexOf(scalars, 'x', new Map([['#0', 1]]))).toBe(0)
    expect(indexOf(scalars, 4)).toBe(1)
  })

  test('is otherwise the first that fits, or the one with the most in common', () => {
    const loose = {
      anyOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { type: 'object', required: ['b', 'c'], properties: { b: {}, c: {} } },
      ],
    }
    expect(indexOf(loose, { a: 'x' })).toBe(0)
    expect(indexOf(loose, { b: 1 })).toBe(1)
  })

  test('keeps the fields that both options have when it is switched', () => {
    const model = createModel(options)
    const picks = new Map([['#0', 1]])
    const before = { x: 'stays' }
    expect(switchOption(model, model.root, { before, pointer: '', picks })).toEqual({
      kind: 'b',
      x: 'stays',
    })
  })

  test('is named by title, constant, reference or type', () => {
    const model = createModel({
      anyOf: [
        { title: 'One', type: 'object' },
        { $ref: '#/$defs/postalAddress' },
        { type: 'string' },
        { type: 'string', minLength: 3 },
      ],
      $defs: { postalAddress: { type: 'object' } },
    })
    const [picker] = drawnAt(model, model.root, {
      value: undefined,
      pointer: '',
      picks: noPicks,
    }).pickers
    expect(picker && optionLabels(model, picker)).toEqual([
      'One',
      'Postal address',
      'Text',
      'Text (4)',
    ])
  })

  test('between required fields is not drawn, but still checked', () => {
    const schema = {
      type: 'object',
      properties: { a: {}, b: {} },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    }
    expect(drawnOf(schema).pickers).toEqual([])
    expect(issuesOf(schema, {})).toEqual([
      { pointer: '', message: 'At least one of these is needed: a, or b' },
    ])
    expect(issuesOf(schema, { b: 1 })).toEqual([])
  })
})

describe('a form begins with', () => {
  test('defaults, constants, null where it may be, and the objects and items that must be there', () => {
    expect(
      begins({
        type: 'object',
        required: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
        properties: {
          a: { type: 'string', default: 'x' },
          b: { const: 2 },
          c: { type: ['number', 'null'] },
          d: {
            type: 'object',
            required: ['in'],
            properties: { in: { type: 'boolean' }, out: { default: 1 } },
          },
          e: { type: 'array', minItems: 2, items: { type: 'string' } },
          f: { type: 'string' },
          g: { type: 'array', prefixItems: [{ default: 1 }, {}] },
          h: { type: 'object', properties: { x: { default: 1 } } },
          i: { type: 'number', default: 7 },
        },
      }),
    ).toEqual({
      a: 'x',
      b: 2,
      c: null,
      d: { in: false, out: 1 },
      e: [null, null],
      g: [1, null],
      i: 7,
    })
  })

  test('an end, where the schema has none', () => {
    const schema = {
      $defs: {
        n: { type: 'object', required: ['next'], properties: { next: { $ref: '#/$defs/n' } } },
      },
      $ref: '#/$defs/n',
    }
    expect(JSON.stringify(begins(schema)).length).toBeLessThan(200)
  })

  test('something when it is added, though null were allowed', () => {
    const model = createModel({
      anyOf: [{ type: 'object', properties: { a: { default: 1 } } }, { type: 'null' }],
    })
    expect(newValue(model, model.root, '')).toEqual({ a: 1 })
  })
})

describe('issues', () => {
  test.each<[unknown, JsonValue, readonly [string, string]]>([
    [
      { properties: { a: { type: 'string', minLength: 3 } } },
      { a: 'x' },
      ['/a', 'At least 3 characters'],
    ],
    [{ properties: { a: { type: 'integer' } } }, { a: 1.5 }, ['/a', 'Must be a whole number']],
    [{ properties: { a: { format: 'email' } } }, { a: 'x' }, ['/a', 'Not an email address']],
    [{ properties: { a: { enum: ['x'] } } }, { a: 'y' }, ['/a', 'Choose one of the options']],
    [{ properties: { a: { minItems: 1 } } }, { a: [] }, ['/a', 'At least 1 item']],
    [
      { properties: { 'a/b %c': { type: 'string', maxLength: 1 } } },
      { 'a/b %c': 'xx' },
      ['/a~1b %c', 'At most 1 character'],
    ],
    [{ required: ['a "b"'] }, {}, ['/a "b"', 'Fill this in']],
    [
      { properties: { not: { type: 'object', required: ['x'] } } },
      { not: {} },
      ['/not/x', 'Fill this in'],
    ],
    [
      { properties: { a: { type: 'array', items: { type: 'string' } } } },
      { a: [null] },
      ['/a/0', 'Fill this in'],
    ],
  ])('%j with %j', (schema, value, [pointer, message]) => {
    expect(issuesOf({ type: 'object', ...(schema as object) }, value)).toEqual([
      { pointer, message },
    ])
  })

  test('is not what may be null and is missing: the server fills it in', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: ['string', 'null'] } },
    }
    expect(issuesOf(schema, {})).toEqual([])
  })

  test('is left to the server where a pattern could hold up the page', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    expect(issuesOf(schema, { a: `${'a'.repeat(60)}!` })).toEqual([])
    expect([isHarmless('^[a-z]+(-[a-z]+)*$'), isHarmless('(x|y)*'), isHarmless('(')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('the input that is sent and kept', () => {
  const model = createModel({
    type: 'object',
    properties: {
      name: { type: 'string' },
      accounts: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            user: { type: 'string' },
            password: { type: 'string', format: 'password' },
          },
        },
      },
      photo: { type: 'string', format: 'data-url' },
    },
  })
  test('has no secrets and no files when it is kept', () => {
    const value = {
      name: 'a',
      accounts: [{ user: 'u', password: 'p' }],
      photo: 'data:,x',
      extra: 1,
    }
    const kept = { name: 'a', accounts: [{ user: 'u' }], extra: 1 }
    expect(withoutSecrets(model, value)).toEqual(kept)
    const photo = `crib://uploads/upl_${'0'.repeat(32)}`
    expect(withoutSecrets(model, { ...value, photo })).toEqual({ ...kept, photo })
  })

  test('drops values of an option that is no longer chosen', () => {
    const union = createModel({
      anyOf: [
        { properties: { kind: { const: 'a' }, x: {} }, required: ['kind'] },
        { properties: { kind: { const: 'b' }, y: {} }, required: ['kind'] },
      ],
    })
    const place = { value: { kind: 'b', x: 1, y: 2, typo: 3 }, pointer: '', picks: noPicks }
    expect(toInput(union, place)).toEqual({ kind: 'b', y: 2, typo: 3 })
  })
})

test('a place is changed without changing anything else, and an odd name harms nobody', () => {
  const before = { a: [{ b: 1 }], c: {} }
  const after = changeAt(before, ['a', '0', 'b'], () => undefined)
  expect(after).toEqual({ a: [{}], c: {} })
  expect((after as typeof before).c).toBe(before.c)
  const odd = changeAt({}, ['__proto__'], () => 'x') as object
  expect([
    Object.hasOwn(odd, '__proto__'),
    Object.getPrototypeOf(odd) === Object.prototype,
  ]).toEqual([true, true])
})

test('names become labels', () => {
  expect(
    ['hourlyRate', 'hourly_rate', 'userID', 'url', 'MAX-size', 'naïveÜber', ''].map(toLabel),
  ).toEqual(['Hourly rate', 'Hourly rate', 'User ID', 'URL', 'MAX size', 'Naïve über', ''])
  expect(['Tasks', 'Entries', 'Boxes', 'Address', 'People'].map(toSingular)).toEqual([
    'Task',
    'Entry',
    'Box',
    'Address',
    'Person',
  ])
})
