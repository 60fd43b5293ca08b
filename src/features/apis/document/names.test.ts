import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isToolName } from '../../../core/kernel/names.ts'
import { type OperationIdentity, toOperationNames } from './names.ts'

const named = (path: string, operationId?: string): OperationIdentity => ({
  method: 'GET',
  path,
  operationId,
})

test('names come from the operation id, else from verb and path', () => {
  const operations = [
    named('/repos', 'repos/list'),
    named('/pets/{petId}'),
    named('/{id}.{ext}'),
    named('/Customers({CustomerID})/Orders', 'Customers.ListOrders'),
    named('/', ''),
    named('/日本', '日本'),
  ]
  expect(toOperationNames(operations)).toEqual([
    'repos.list',
    'get.pets_petId',
    'get_id.ext',
    'Customers.ListOrders',
    expect.stringMatching(/^get_[0-9a-f]{8}$/),
    expect.stringMatching(/^get_[0-9a-f]{8}$/),
  ])
})

test('duplicate and overlong ids get a hash of their own place, whatever the order', () => {
  const operations = [
    named('/a', 'same'),
    named('/b', 'same'),
    named('/c', 'x'.repeat(300)),
    named('/d', 'other'),
  ]
  const names = toOperationNames(operations)
  expect(new Set(names).size).toBe(4)
  expect(names.every((name) => name.length <= 96)).toBe(true)
  const turned = toOperationNames(operations.toReversed()).toReversed()
  expect(turned).toEqual(names)
  expect(names[3]).toBe('other')
})

test('every operation has a name of its own that a tool can have', () => {
  const identity = fc.record({
    method: fc.constantFrom<OperationIdentity['method']>('GET', 'POST', 'DELETE'),
    path: fc.string({ unit: 'binary' }).map((text) => `/${text}`),
    operationId: fc.option(fc.string({ unit: 'binary', maxLength: 300 }), { nil: undefined }),
  })
  const distinct = fc.uniqueArray(identity, {
    selector: ({ method, path }) => `${method} ${path}`,
    maxLength: 30,
  })
  fc.assert(
    fc.property(distinct, (operations) => {
      const names = toOperationNames(operations)
      expect(new Set(names).size).toBe(names.length)
      expect(names.filter((name) => !isToolName(`api:x:${name}`))).toEqual([])
    }),
    { numRuns: 60 },
  )
})
