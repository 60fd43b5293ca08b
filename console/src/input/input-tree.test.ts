import { expect, test } from 'vitest'
import { describePlace, entitiesIn, modelOf, treeToText, toInputTree } from './input-tree.ts'

const note = { type: 'string', 'x-entity-type': 'note', 'x-entity-tool': 'notes.list' }
const inputSchema = {
  type: 'object',
  properties: {
    ids: { title: 'Notes', type: 'array', items: { $ref: '#/$defs/note' } },
    owner: { type: 'integer', 'x-entity-type': 'person' },
    dryRun: { type: ['boolean', 'null'] },
    level: { enum: ['low', 'high'], enumNames: ['Low', 'High'] },
    lines: { type: 'array', items: { type: 'object', properties: { unitPrice: {} } } },
  },
  $defs: { note },
}
const model = modelOf({ inputSchema })
const entity = { type: 'note', tool: 'notes.list' }

test('an input is read by its schema: names of fields, things, choices, and what is not set', () => {
  const input = { level: 'high', ids: ['a'], extra: '', dryRun: null, owner: 7 }
  expect(toInputTree(model, input)).toEqual({
    kind: 'fields',
    rows: [
      {
        key: 'ids',
        label: 'Notes',
        node: { kind: 'items', items: [{ kind: 'entity', entity, id: 'a' }] },
      },
      { key: 'owner', label: 'Owner', node: { kind: 'entity', entity: { type: 'person' }, id: 7 } },
      { key: 'level', label: 'Level', node: { kind: 'text', text: 'High' } },
      // Keys outside the schema are shown as well: they are sent, too.
      { key: 'extra', label: 'Extra', node: { kind: 'text', text: '(empty)' } },
    ],
    unset: ['Dry run'],
  })
})

test('without a schema everything is still there', () => {
  const tree = toInputTree(modelOf(undefined), { userId: 'u1', ok: false, tags: [] })
  expect(treeToText(tree, () => undefined)).toBe('User ID: u1 · Ok: No · Tags: None')
  expect(toInputTree(modelOf(undefined), null)).toEqual({ kind: 'text', text: 'Not set' })
})

test('one line names the things in it, and is short however long the input is', () => {
  const tree = toInputTree(model, { ids: ['a', 'b'], lines: [{ unitPrice: 1 }] })
  expect(entitiesIn(tree).map(({ id }) => id)).toEqual(['a', 'b'])
  const nameOf = ({ id }: { id: unknown }) => (id === 'a' ? 'Opening hours' : undefined)
  expect(treeToText(tree, nameOf)).toBe('Notes: Opening hours, b · Lines: 1 item')
  const long = toInputTree(model, { ids: Array.from({ length: 30 }, () => 'x'.repeat(100)) })
  expect(treeToText(long, () => undefined)).toHaveLength(141)
})

test('a place is described as people read it, with its schema', () => {
  const input = { ids: ['a'], lines: [{ unitPrice: 1 }, { unitPrice: 2 }] }
  expect(describePlace(model, input, '/lines/1/unitPrice').label).toBe(
    'Lines › Line 2 › Unit price',
  )
  expect(describePlace(model, input, '/ids/0').schema).toMatchObject(note)
  expect(describePlace(model, input, '').label).toBe('Whole input')
})

test('a list or a nesting beyond what anybody reads is left to JSON', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) as never
  expect(JSON.stringify(toInputTree(model, deep))).toContain('"kind":"json"')
  const long = toInputTree(model, { ids: Array.from({ length: 500 }, () => 'x') })
  expect(JSON.stringify(long)).toContain('"kind":"json"')
})
