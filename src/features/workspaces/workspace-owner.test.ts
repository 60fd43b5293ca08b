import { expect, test } from 'vitest'
import type { Caller } from '../../core/kernel/call.ts'
import { workspacesSchema } from './config.ts'
import { workspaceOwner } from './workspace-owner.ts'

const ada: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'ada' },
  permissions: ['*'],
  runtime: 'chat',
}
const child = {
  sessionId: 'conv_1',
  runtime: 'subagent',
  agent: 'helper',
  parents: ['lead'],
} as const
const keyOf = (more: Partial<Caller>, config = {}) =>
  workspaceOwner({ ...ada, ...more }, workspacesSchema.parse(config)).key

test('a person and the agents of a session share its workspace', () => {
  const keys = [{ sessionId: 'conv_1' }, { sessionId: 'conv_1', agent: 'lead' }, child].map((one) =>
    keyOf(one),
  )
  expect(new Set(keys).size).toBe(1)
})

test('agents that one starts get their own workspace if its settings say so', () => {
  const own = { agents: { lead: { subagents: 'own' } } }
  const parent = keyOf({ sessionId: 'conv_1', agent: 'lead' }, own)
  const [one, other] = [keyOf(child, own), keyOf({ ...child, agent: 'other' }, own)]
  expect(new Set([parent, one, other]).size).toBe(3)
  expect(keyOf({ ...child, parents: ['another'] }, own)).toBe(parent)
})

test('sessions, principals and callers without a session are kept apart', () => {
  const keys = [
    keyOf({}),
    keyOf({ agent: 'lead' }),
    keyOf({ sessionId: 'a:b' }),
    keyOf({ sessionId: 'a_b' }),
    keyOf({ sessionId: 'a:b', principal: { kind: 'user', id: 'eve' } }),
    keyOf({ sessionId: 'a:b', principal: { kind: 'key', id: 'ada' } }),
  ]
  expect(new Set(keys).size).toBe(keys.length)
  const schedule = { principal: { kind: 'system', id: 's' }, onBehalfOf: ada.principal } as const
  expect(keyOf({ sessionId: 'a:b', ...schedule })).toBe(keyOf({ sessionId: 'a:b' }))
})

test('a new workspace gets the mode of its agent, or that of all', () => {
  const config = workspacesSchema.parse({ mode: 'ask', agents: { intern: { mode: 'read-only' } } })
  expect(workspaceOwner({ ...ada, agent: 'intern' }, config).mode).toBe('read-only')
  expect(workspaceOwner({ ...ada, agent: 'lead' }, config).mode).toBe('ask')
})
