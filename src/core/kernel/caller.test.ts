import { expect, test } from 'vitest'
import type { Caller } from './call.ts'
import { asAgent } from './caller.ts'

const caller: Caller = {
  tenant: 'default',
  principal: { kind: 'key', id: 'k' },
  permissions: ['*'],
  runtime: 'api',
}

test('a caller is another as an agent, in a runtime, under a skill; without a word it is the same', () => {
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

test('who is bound to an agent, or under a skill, can not be another or lay it off', () => {
  const bound = { ...caller, agent: 'support', skill: 'triage' }
  expect(asAgent(bound, { agent: 'support', skill: 'triage' })).toBe(bound)
  expect(() => asAgent(bound, { agent: 'other' })).toThrow(/bound to the agent support/)
  expect(() => asAgent(bound, { skill: 'other' })).toThrow(/skill triage is in force/)
})
