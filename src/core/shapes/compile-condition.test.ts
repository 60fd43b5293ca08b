import { expect, test } from 'vitest'
import { ToolError } from '../kernel/errors.ts'
import { compileCondition } from './compile-condition.ts'
import type { ConditionColumns } from './condition-columns.ts'
import { toStatement } from './sql-piece.ts'

// That SQL and `matches` agree is tested on both databases, in store/contract.
const columns: ConditionColumns = {
  entity: { type: 'json', sql: 'entities.content' },
  'entity.title': { type: 'text', sql: 'entities.title' },
}

test('values travel beside the text, never in it', () => {
  const odd = `'; drop table calls; -- " $1 \\`
  const statement = toStatement(
    compileCondition(
      {
        any: [
          { field: 'entity.title', operator: 'eq', value: odd },
          { field: `entity[${JSON.stringify(odd)}]`, operator: 'contains', value: odd },
          { not: { field: 'entity.a', operator: 'in', value: [odd, { [odd]: odd }] } },
        ],
      },
      columns,
    ),
    3,
  )
  expect(statement.text).not.toContain('drop')
  expect(statement.text.match(/\$\d+/g)).toEqual(
    statement.values.map((_, index) => `$${index + 3}`),
  )
  expect(statement.values.every((value) => value.includes('drop') || value === '{"a"}')).toBe(true)
})

test('the longest column counts, and what a column has no room for is missing', () => {
  const sqlOf = (field: string) =>
    toStatement(compileCondition({ field, operator: 'exists' }, columns)).text
  expect(sqlOf('entity.title')).toBe('((entities.title) is not null)')
  expect(sqlOf('entity["title"]')).toBe('((entities.title) is not null)')
  expect(sqlOf('entity.title.length')).toBe('false')
  expect(sqlOf('entity.__proto__')).toBe('false')
  expect(sqlOf('entity.titles')).toContain('entities.content')
})

test('references in values are filled in, but not from the row itself', () => {
  const equal = (value: string) =>
    compileCondition({ field: 'entity.title', operator: 'eq', value }, columns, {
      input: { title: 'Ada' },
    })
  expect(equal('{{input.title}}').values).toEqual(['Ada'])
  expect(() => equal('{{entity.name}}')).toThrow(ToolError)
})

test('a field that is stored nowhere is refused with those that are', () => {
  expect(() => compileCondition({ field: 'enttiy.a', operator: 'exists' }, columns)).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      fix: 'Begin the field with one of these: entity, entity.title.',
    }),
  )
})

test('equality can use an index on the whole column, unless a place in a list is asked for', () => {
  const sqlOf = (field: string) =>
    toStatement(compileCondition({ field, operator: 'eq', value: 1 }, columns))
  expect(sqlOf('entity.a.b')).toMatchObject({
    text: expect.stringContaining('entities.content @>'),
    values: expect.arrayContaining(['{"a":{"b":1}}']),
  })
  expect(sqlOf('entity.a[0]').text).not.toContain('@>')
})
