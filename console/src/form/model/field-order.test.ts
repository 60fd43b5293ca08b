import { expect, test } from 'vitest'
import type { JsonValue } from '../../api/json.ts'
import { drawnAt, noPicks } from './drawn.ts'
import { fieldOrder, fieldsInOrder } from './field-order.ts'
import { createModel } from './form-model.ts'
import type { SchemaObject } from './schema.ts'

const address = JSON.parse(`{
  "type": "object",
  "properties": { "name": {}, "country": {}, "gift": {}, "phone": {} },
  "allOf": [
    {
      "if": { "$ref": "#/$defs/american" },
      "then": { "properties": { "state": {}, "zip": {}, "name": { "minLength": 1 } } },
      "else": { "properties": { "region": {} } }
    },
    { "if": { "properties": { "country": { "const": "US" } } }, "then": { "properties": { "county": {} } } }
  ],
  "dependentSchemas": { "gift": { "properties": { "card": {} } } },
  "$defs": { "american": { "allOf": [{ "properties": { "country": { "const": "US" } } }] } }
}`) as SchemaObject

function drawn(value: JsonValue, form?: unknown) {
  const model = createModel(address, form)
  const { schema } = drawnAt(model, model.root, { value, pointer: '', picks: noPicks })
  return { spec: model.spec, schema }
}
const namesOf = (value: JsonValue, form?: unknown) => {
  const { spec, schema } = drawn(value, form)
  return fieldsInOrder(spec, '', schema)
}

test('fields of a condition come right after the field that decides, in their own order', () => {
  expect(namesOf({ country: 'US', gift: true })).toEqual([
    'name',
    'country',
    'state',
    'zip',
    'county',
    'gift',
    'card',
    'phone',
  ])
  expect(namesOf({ country: 'AT' })).toEqual(['name', 'country', 'region', 'gift', 'phone'])
})

test('they follow it where the definition puts it, and stay where the definition puts them', () => {
  expect(namesOf({ country: 'AT' }, { order: ['phone', 'country'] })).toEqual([
    'phone',
    'country',
    'region',
    'name',
    'gift',
  ])
  expect(namesOf({ country: 'AT' }, { order: ['region', 'phone'] })).toEqual([
    'region',
    'phone',
    'name',
    'country',
    'gift',
  ])
})

test('they join the group of the field that decides', () => {
  const groups = [{ label: 'Where', fields: ['country', 'phone'] }]
  const { spec, schema } = drawn({ country: 'AT' }, { groups })
  const order = fieldOrder(spec, '', schema)
  expect(order.loose).toEqual(['name', 'gift'])
  expect(order.groups.map(({ fields }) => fields)).toEqual([['country', 'region', 'phone']])
})

test('fields that decide about each other are all there', () => {
  const schema = {
    properties: { first: {} },
    dependentSchemas: { a: { properties: { b: {} } }, b: { properties: { a: {} } } },
  }
  const model = createModel(schema, undefined)
  const value = { a: 1, b: 1 }
  const shape = drawnAt(model, model.root, { value, pointer: '', picks: noPicks })
  expect(fieldsInOrder(model.spec, '', shape.schema)).toEqual(['first', 'b', 'a'])
})
