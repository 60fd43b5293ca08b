import { expect, test } from 'vitest'
import { describeTools, toSecretRows } from './secret-rows.ts'

const need = {
  label: 'Search key',
  type: 'text' as const,
  choices: [],
  sensitive: true,
  optional: false,
  requiredBy: ['web.search'],
  usedBy: [],
  isSet: false,
  agents: [],
  hasCheck: false,
}

test('missing secrets come first, and an agent’s own value follows the tenant’s', () => {
  const at = '2026-11-15T00:00:00.000Z'
  const rows = toSecretRows([
    {
      items: [
        { name: 'a_key', version: 1, updatedAt: at, usedBy: [] },
        { name: 'b_key', version: 2, updatedAt: at, usedBy: [] },
        { name: 'b_key', agent: 'support', version: 1, updatedAt: at, usedBy: [] },
      ],
      requirements: [
        { ...need, name: 'z_key' },
        { ...need, name: 'o_key', requiredBy: [], usedBy: ['web.fetch'], optional: true },
        { ...need, name: 'b_key', isSet: true },
      ],
    },
  ])
  expect(rows.map(({ name, agent, state }) => [name, agent, state])).toEqual([
    ['z_key', undefined, 'missing'],
    ['a_key', undefined, 'set'],
    ['b_key', undefined, 'set'],
    ['b_key', 'support', 'set'],
    ['o_key', undefined, 'unset'],
  ])
  expect(rows[2]?.usedBy).toEqual(['web.search'])
})

test('a secret that is set on a later page is not shown as missing', () => {
  const [row] = toSecretRows([{ items: [], requirements: [{ ...need, name: 'x', isSet: true }] }])
  expect(row?.state).toBe('set')
})

test('tools are counted if there are many', () => {
  expect(describeTools(['a', 'b'])).toBe('a and b')
  expect(describeTools(['a', 'b', 'c', 'd'])).toBe('a, b and 2 more tools')
})
