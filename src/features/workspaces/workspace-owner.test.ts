import { expect, test } from 'vitest'
import type { Caller } from '../../core/kernel/call.ts'
import { type AgentWorkspace, newWorkspaceMode, workspaceOwner } from './workspace-owner.ts'

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
const finding =
  (agents: Record<string, Partial<AgentWorkspace>>) => async (_tenant: string, slug: string) => ({
    subagentWorkspace: 'share' as const,
    workspaceMode: undefined,
    ...agents[slug],
  })
const keyOf = async (more: Partial<Caller>, agents: Parameters<typeof finding>[0] = {}) =>
  (await workspaceOwner({ ...ada, ...more }, finding(agents))).key

test('a person and the agents of a session share its workspace', async () => {
  const callers = [{ sessionId: 'conv_1' }, { sessionId: 'conv_1', agent: 'lead' }, child]
  const keys = await Promise.all(callers.map((one) => keyOf(one)))
  expect(new Set(keys).size).toBe(1)
})

test('agents that one starts get their own workspace if its settings say so', async () => {
  const own = { lead: { subagentWorkspace: 'own' } } as const
  const parent = await keyOf({ sessionId: 'conv_1', agent: 'lead' }, own)
  const [one, other] = [await keyOf(child, own), await keyOf({ ...child, agent: 'other' }, own)]
  expect(new Set([parent, one, other]).size).toBe(3)
  expect(await keyOf({ ...child, parents: ['another'] }, own)).toBe(parent)
  // One that is sent out is like the agent that sent it, with nobody above it.
  const { parents: _, ...alike } = { ...child, agent: 'lead' }
  expect(await keyOf(alike, own)).not.toBe(parent)
  expect(await keyOf(alike)).toBe(parent)
})

test('sessions, principals and callers without a session are kept apart', async () => {
  const keys = await Promise.all([
    keyOf({}),
    keyOf({ agent: 'lead' }),
    keyOf({ sessionId: 'a:b' }),
    keyOf({ sessionId: 'a_b' }),
    keyOf({ sessionId: 'a:b', principal: { kind: 'user', id: 'eve' } }),
    keyOf({ sessionId: 'a:b', principal: { kind: 'key', id: 'ada' } }),
  ])
  expect(new Set(keys).size).toBe(keys.length)
  const schedule = { principal: { kind: 'system', id: 's' }, onBehalfOf: ada.principal } as const
  expect(await keyOf({ sessionId: 'a:b', ...schedule })).toBe(await keyOf({ sessionId: 'a:b' }))
})

test('a key has a workspace for each agent that it may be bound to, shared by those below', async () => {
  const visitor = { sessionId: 'page', principal: { kind: 'key', id: 'anna' } } as const
  const keys = await Promise.all(
    ['support', 'sales', undefined].map((agent) => keyOf({ ...visitor, ...(agent && { agent }) })),
  )
  expect(new Set(keys).size).toBe(3)
  const below = { ...visitor, runtime: 'subagent', agent: 'clerk' } as const
  expect(await keyOf({ ...below, parents: ['helper', 'support'] })).toBe(keys[0])
  expect(await keyOf({ ...below, parents: ['sales'] })).toBe(keys[1])
})

test('a new workspace gets the mode of its agent, or that of all', async () => {
  const agents = finding({ intern: { workspaceMode: 'read-only' } })
  const modeOf = (agent?: string) => newWorkspaceMode({ tenant: 'default', agent }, 'ask', agents)
  expect(await modeOf('intern')).toBe('read-only')
  expect([await modeOf('lead'), await modeOf()]).toEqual(['ask', 'ask'])
})
