import { expect, test } from 'vitest'
import type { Caller } from './call.ts'
import { asAgent } from './caller.ts'

const caller: Caller = {
  tenant: 'default',
  principal: { kind: 'key', id: 'k' },
  permissions: ['*'],
  runtime: 'api',
}

test('a caller takes another agent, runtime or skill, and stays the same without one', () => {
  expect(asAgent(caller, {})).toBe(caller)
  expect(asAgent(caller, { agent: 'support', skill: 'triage', runtime: 'chat' })).toEqual({
    ...caller,
    agent: 'support',
    skill: 'triage',
    runtime: 'chat',
  })
  expect(asAgent({ ...caller, skill: 'triage' }, { agent: 'support' })).toEqual({
    ...caller,
    agent: 'support',
    skill: 'triage',
  })
})

test('a caller bound to an agent or a skill cannot switch to another one or drop it', () => {
  const bound = { ...caller, agent: 'support', skill: 'triage' }
  expect(asAgent(bound, { agent: 'support', skill: 'triage' })).toBe(bound)
  expect(() => asAgent(bound, { agent: 'other' })).toThrow(/bound to the agent support/)
  expect(() => asAgent(bound, { skill: 'other' })).toThrow(/skill triage is active/)
})
