import { expect, test } from 'vitest'
import type { Me } from '../api/me.ts'
import { toEntryGroups } from './palette-entries.ts'

const owner = { permissions: ['*'], tenant: 'default' } as unknown as Me
const member = { permissions: ['tools.call', 'agents.chat'], tenant: 'default' } as unknown as Me
const slow = { name: 'demo.long-task', title: 'Count primes slowly', effect: 'read' }
const roi = { name: 'analysis.roi', title: 'Return on investment', effect: 'read' }

const firstOf = (words: string, tools: (typeof roi)[] = [], me = owner) =>
  toEntryGroups(words, me, { tools, agents: [] })[0]?.entries[0]?.label

test('the exact name of a screen comes before what the search found for it', () => {
  expect(firstOf('settings', [slow])).toBe('Settings')
  expect(firstOf('Calls', [slow])).toBe('Calls')
  expect(firstOf('secr', [slow])).toBe('Secrets')
})

test('a tool that is meant comes before screens that only hold the letters', () => {
  expect(firstOf('roi', [slow, roi])).toBe('Return on investment')
  expect(firstOf('return', [slow, roi])).toBe('Return on investment')
})

test('settings, new things, the theme and agents are found', () => {
  expect(firstOf('retention')).toBe('Retention')
  expect(firstOf('new agent')).toBe('New agent')
  expect(firstOf('new sch')).toBe('New schedule')
  expect(firstOf('dark')).toBe('Use dark theme')
  const found = { tools: [], agents: [{ slug: 'analyst', name: 'Analyst' }] }
  expect(toEntryGroups('analyst', owner, found)[0]?.entries[0]).toMatchObject({
    label: 'Analyst',
    command: { kind: 'agent', slug: 'analyst', isManaged: true },
  })
})

test('entries without access are not offered', () => {
  const labels = toEntryGroups('new', member, { tools: [], agents: [] }).flatMap(({ entries }) =>
    entries.map(({ label }) => label),
  )
  expect(labels).toEqual([])
  expect(firstOf('secrets', [], member)).toBeUndefined()
})
