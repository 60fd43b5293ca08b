import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkInput } from './check-input.ts'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    nick: { type: ['string', 'null'] },
    age: { type: 'integer' },
    home: {
      type: 'object',
      properties: { city: { type: 'string' }, zip: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
    tags: {
      type: 'array',
      items: {
        type: 'object',
        properties: { key: { type: 'string' } },
        additionalProperties: false,
      },
    },
  },
  required: ['name'],
  additionalProperties: false,
}

test('nulls for keys that may be left out are taken out at every depth, others stay', () => {
  const sent = {
    name: 'a',
    nick: null,
    age: null,
    home: { city: 'b', zip: null },
    tags: [{ key: null }],
  }
  expect(checkInput(schema, sent)).toEqual({
    ok: true,
    value: { name: 'a', nick: null, home: { city: 'b' }, tags: [{}] },
  })
})

test('in a union, too, whichever of its forms was meant', () => {
  const form = (properties: Record<string, object>, required: string[]) => ({
    type: 'object',
    properties,
    required,
  })
  const text = { type: 'string' }
  const either = {
    type: 'object',
    properties: {
      nick: { type: ['string', 'null'] },
      to: {
        type: 'array',
        items: {
          anyOf: [
            form({ id: text }, ['id']),
            form({ mail: text, name: text, phone: text, as: { enum: ['cc', 'bcc'] } }, ['mail']),
          ],
        },
      },
    },
  }
  const sent = {
    nick: null,
    to: [{ mail: 'a', name: null, phone: null, as: null }, { id: 'b' }],
  }
  expect(checkInput(either, sent)).toEqual({
    ok: true,
    value: { nick: null, to: [{ mail: 'a' }, { id: 'b' }] },
  })
  expect(checkInput(either, { to: [{ name: null }] })).toMatchObject({
    ok: false,
    error: { issues: [{ path: '/to/0/id' }] },
  })
  const brackets = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown
  expect(checkInput(either, { to: brackets }).ok).toBe(false)
})

test('a null for what is required stays wrong, and so do other values', () => {
  expect(checkInput(schema, { name: null }).ok).toBe(false)
  expect(checkInput(schema, { name: 'a', age: 'old' }).ok).toBe(false)
})

test('leaving out and sending null come to the same, and checking again changes nothing', () => {
  const home = fc.record({ city: fc.string(), zip: fc.string() }, { requiredKeys: ['city'] })
  const person = fc.record(
    { name: fc.string(), age: fc.integer(), home },
    { requiredKeys: ['name'] },
  )
  fc.assert(
    fc.property(person, (value) => {
      const strict = {
        name: value.name,
        age: value.age ?? null,
        home:
          value.home === undefined ? null : { city: value.home.city, zip: value.home.zip ?? null },
      }
      const checked = checkInput(schema, strict)
      expect(checked).toEqual({ ok: true, value })
      if (checked.ok) expect(checkInput(schema, checked.value)).toEqual(checked)
    }),
  )
})
