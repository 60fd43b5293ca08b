import { expect, test } from 'vitest'
import { drawnAt, noPicks } from '../drawn.ts'
import { findIssues } from '../find-issues.ts'
import { createModel } from '../form-model.ts'
import { descriptionOf, titleOf, withRange } from './field-words.ts'
import { toLabel } from './labels.ts'
import { stepsOf } from '../number-steps.ts'
import { summarizeInputs } from './summarize-inputs.ts'
import type { JsonValue } from '../../../api/json.ts'
import type { SchemaObject } from '../schema.ts'

const issuesOf = (schema: SchemaObject, value: JsonValue) =>
  findIssues(createModel(schema, undefined), { value, pointer: '', picks: noPicks })

test('a regular expression is never shown to people', () => {
  const field = (more: object) => ({
    type: 'object',
    properties: { expiry: { type: 'string', pattern: '^[01][0-9]/[0-9]{2}$', ...more } },
  })
  const said = (more: object) => issuesOf(field(more), { expiry: 'soon' })[0]?.message
  expect(said({})).toBe('Not in the expected format')
  expect(said({ examples: ['09/28'] })).toBe('Not in the expected format, such as 09/28')
  expect(said({ errorMessage: 'Month and year' })).toBe('Month and year')
  expect(said({ errorMessage: { pattern: 'As on the card' } })).toBe('As on the card')
})

test('a description that repeats the label is left out', () => {
  expect(descriptionOf({ schema: { description: 'Data' } }, 'Data')).toBeUndefined()
  expect(descriptionOf({ schema: { description: 'Data of the year' } }, 'Data')).toBe(
    'Data of the year',
  )
})

test('a title of a type does not hide the name of the field', () => {
  const $defs = { node: { title: 'Node', type: 'object', properties: {} } }
  const schema = { $defs, type: 'object', properties: { root: { $ref: '#/$defs/node' } } }
  const model = createModel(schema, undefined)
  const shape = (one: SchemaObject) =>
    drawnAt(model, one, { value: {}, pointer: '', picks: noPicks })
  const reference = { $ref: '#/$defs/node' }
  expect(titleOf(reference, shape(reference))).toBeUndefined()
  const nullable = { anyOf: [reference, { type: 'null' }] }
  expect(titleOf(nullable, shape(nullable))).toBeUndefined()
  const titled = { ...reference, title: 'Start' }
  expect(titleOf(titled, shape(titled))).toBe('Start')
})

test('a range is shown beforehand, and a small one is a list to pick from', () => {
  const range = { type: 'integer', minimum: 1, maximum: 60 }
  const plain = { schema: range, widget: undefined }
  expect(withRange('How many', 'number', plain)).toBe('How many. From 1 to 60')
  expect(withRange(undefined, 'number', plain)).toBe('From 1 to 60')
  const safe = { type: 'integer', minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 }
  expect(withRange(undefined, 'number', { schema: safe, widget: undefined })).toBeUndefined()
  const wide = { schema: { type: 'number', minimum: 0, maximum: 1e12 }, widget: undefined }
  expect(withRange('In euro (0)', 'number', wide)).toBe('In euro (0)')
  const thousands = { schema: { type: 'number', maximum: 25_000 }, widget: undefined }
  expect(withRange('In euro (0)', 'number', thousands)).toBe('In euro (0). At most 25,000')
  expect(stepsOf({ type: 'integer', minimum: 1, maximum: 5 })).toEqual([1, 2, 3, 4, 5])
  expect(stepsOf({ type: 'integer', minimum: 1, maximum: 8 })).toBeUndefined()
  expect(stepsOf({ type: 'number', minimum: 1, maximum: 5 })).toBeUndefined()
})

test('acronyms are capitals', () => {
  expect(['sku', 'cvcCode', 'ibanNumber', 'userIds', 'imageUrl', 'idea'].map(toLabel)).toEqual([
    'SKU',
    'CVC code',
    'IBAN number',
    'User IDs',
    'Image URL',
    'Idea',
  ])
})

test('earlier inputs are told apart by what differs', () => {
  expect(
    summarizeInputs([
      { city: 'Bern', unit: 'C', days: 3 },
      { city: 'Oslo', unit: 'C', days: null },
    ]),
  ).toEqual(['City: Bern · Days: 3', 'City: Oslo · Unit: C'])
  expect(summarizeInputs([{ name: 'A', tags: ['x', 'y'] }])).toEqual(['Name: A · Tags: x, y'])
  expect(summarizeInputs([{}])).toEqual(['Empty input'])
})
