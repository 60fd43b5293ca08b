import { expect, test } from 'vitest'
import { decide } from './decide.ts'
import { agentWith, scopeWith, toolNamed } from './policy.fixture.ts'
import type { AgentPolicy } from './scope.ts'

const find = toolNamed('billing.find')
const refund = toolNamed('billing.refund', { effect: 'destructive' })
const hooks = (facts: Partial<AgentPolicy['hooks']>) => ({
  hooks: { confirm: [], log: [], silent: [], ...facts },
})
const decideFor = (tool: typeof find, facts: Partial<AgentPolicy>, parents: AgentPolicy[] = []) =>
  decide(tool, scopeWith({ agent: agentWith(['*'], facts), parents }))

test('a call that a layer stops is denied with the layer and its rule', () => {
  const reason = 'agent support has no grant for billing.find'
  expect(decide(find, scopeWith({ agent: agentWith([]) }))).toEqual({
    verdict: 'deny',
    layer: 'grants',
    rule: reason,
    reasons: [reason],
  })
})

test('an agent is allowed by the grant that names the tool', () => {
  expect(decideFor(find, {})).toEqual({
    verdict: 'allow',
    layer: 'grants',
    rule: 'agent support is granted * (manual)',
    reasons: [],
  })
})

test('a caller without an agent is allowed by the policy levels', () => {
  expect(decide(find, scopeWith())).toEqual({
    verdict: 'allow',
    layer: 'policy',
    rule: 'every policy allows the tool',
    reasons: [],
  })
})

const ask = (layer: string, ...reasons: string[]) => ({
  verdict: 'ask',
  layer,
  rule: reasons[0],
  reasons,
})

test('a tool that always needs approval asks for every caller', () => {
  const tool = toolNamed('billing.refund', { approval: 'always' })
  const asked = ask('approval', 'billing.refund always needs approval')
  expect(decide(tool, scopeWith())).toEqual(asked)
  expect(decideFor(tool, { autonomy: 'autonomous' })).toEqual(asked)
})

const confirmed = 'agent support needs approval for billing.* (rule: confirm)'
const single = 'agent support needs approval for every call of billing.find'
const conservative = 'agent support is conservative: calls that change something need approval'
const approveFind = { settings: { 'billing.find': { needsApproval: true } } }

test.each<[string, typeof find, Partial<AgentPolicy>, object]>([
  ['no hook means silent', find, {}, { verdict: 'allow' }],
  ['a confirm hook asks', find, hooks({ confirm: ['billing.*'] }), ask('hooks', confirmed)],
  [
    'confirm is stricter than silent',
    find,
    hooks({ confirm: ['billing.*'], silent: ['*'] }),
    ask('hooks', confirmed),
  ],
  [
    'confirm is stricter than log, which is still noted',
    find,
    hooks({ confirm: ['billing.*'], log: ['*'] }),
    { ...ask('hooks', confirmed), logged: true },
  ],
  [
    'a log hook allows and is noted',
    find,
    hooks({ log: ['billing.*'] }),
    { verdict: 'allow', logged: true },
  ],
  [
    'log is stricter than silent',
    find,
    hooks({ log: ['billing.*'], silent: ['*'] }),
    { verdict: 'allow', logged: true },
  ],
  [
    'a conservative agent confirms an effect',
    refund,
    { autonomy: 'conservative' },
    ask('autonomy', conservative),
  ],
  ['a conservative agent reads freely', find, { autonomy: 'conservative' }, { verdict: 'allow' }],
  [
    'a silent hook does not quiet a conservative agent',
    refund,
    { autonomy: 'conservative', ...hooks({ silent: ['*'] }) },
    ask('autonomy', conservative),
  ],
  ['a standard agent follows hooks', refund, { autonomy: 'standard' }, { verdict: 'allow' }],
  [
    'an autonomous agent honours an explicit confirm',
    find,
    { autonomy: 'autonomous', ...hooks({ confirm: ['billing.*'] }) },
    ask('hooks', confirmed),
  ],
  [
    'an autonomous agent honours needsApproval',
    find,
    { autonomy: 'autonomous', ...approveFind },
    ask('settings', single),
  ],
  [
    'needsApproval: false takes nothing back',
    find,
    {
      ...hooks({ confirm: ['billing.*'] }),
      settings: { 'billing.find': { needsApproval: false } },
    },
    ask('hooks', confirmed),
  ],
  [
    "hooks that can't be read ask about everything",
    find,
    hooks({ silent: ['a b'] }),
    { verdict: 'ask', layer: 'hooks', logged: true },
  ],
])('%s', (...[, tool, facts, decision]) => {
  expect(decideFor(tool, facts)).toMatchObject(decision)
  expect(decideFor(tool, facts).logged).toBe((decision as { logged?: boolean }).logged)
})

test('every rule that asks is among the reasons, and the first one is the rule', () => {
  const tool = toolNamed('billing.find', { approval: 'always', effect: 'write' })
  const facts = {
    autonomy: 'conservative',
    ...approveFind,
    ...hooks({ confirm: ['billing.*'] }),
  } as const
  expect(decideFor(tool, facts)).toEqual(
    ask('approval', 'billing.find always needs approval', confirmed, conservative, single),
  )
})

test("a parent's confirm, autonomy, settings and log apply to its children at any depth", () => {
  const parents = [
    agentWith(['*'], { slug: 'lead', ...approveFind }),
    agentWith(['*'], {
      slug: 'top',
      autonomy: 'conservative',
      ...hooks({ confirm: ['*'], log: ['*'] }),
    }),
  ]
  const tool = toolNamed('billing.find', { effect: 'write' })
  expect(decideFor(tool, { autonomy: 'autonomous' }, parents)).toEqual({
    ...ask(
      'settings',
      'parent agent lead needs approval for every call of billing.find',
      'parent agent top needs approval for * (rule: confirm)',
      'parent agent top is conservative: calls that change something need approval',
    ),
    logged: true,
  })
})

test('a confirm rule for a former name of a tool still asks', () => {
  const renamed = toolNamed('billing.lookup', { aliases: ['billing.find'] })
  expect(decideFor(renamed, hooks({ confirm: ['billing.find'] })).verdict).toBe('ask')
  expect(decideFor(renamed, approveFind).verdict).toBe('ask')
})

test('the same scope and tool give the same frozen decision', () => {
  const scope = scopeWith()
  const decision = decide(find, scope)
  expect(decide(find, scope)).toBe(decision)
  expect(Object.isFrozen(decision) && Object.isFrozen(decision.reasons)).toBe(true)
})
