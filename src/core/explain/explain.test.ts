import { expect, test } from 'vitest'
import { explain, explainOne } from './explain.ts'
import { agentWith, scopeWith, toolNamed } from '../policy/policy.fixture.ts'
import { layerNames } from '../policy/layers/layers.ts'
import { findToolState } from '../policy/tool-state.ts'

const secret = {
  key: 'stripe_key',
  label: '',
  optional: false,
  type: 'text',
  choices: [],
  sensitive: true,
} as const

test('explain shows every layer, including those after the deciding one', () => {
  const tool = toolNamed('shell.run', { packOptIn: true, quarantine: 'broken' })
  const { layers, ...rest } = explainOne(tool, scopeWith({ agent: agentWith(['shell.*']) }))
  expect(layers.map(({ layer, passes }) => [layer, passes])).toEqual(
    layerNames.map((name) => [name, name !== 'catalogue' && name !== 'health']),
  )
  expect(rest).toEqual({
    tool: 'shell.run',
    visible: false,
    verdict: 'deny',
    stoppedBy: 'catalogue',
    reasons: ['pack shell is opt-in and was not turned on', 'quarantined: broken'],
  })
})

test('explain names the rule that asks', () => {
  const tool = toolNamed('billing.refund', { approval: 'always' })
  const { layers: _layers, ...rest } = explainOne(tool, scopeWith())
  expect(rest).toEqual({
    tool: 'billing.refund',
    visible: true,
    verdict: 'ask',
    stoppedBy: 'billing.refund always needs approval',
    reasons: ['billing.refund always needs approval'],
    asks: [
      {
        layer: 'approval',
        reason: 'billing.refund always needs approval',
        setBy: 'the definition of billing.refund',
      },
    ],
  })
})

test('an allowed tool has no reasons', () => {
  const { layers, ...rest } = explainOne(toolNamed('a.b'), scopeWith())
  expect(rest).toEqual({ tool: 'a.b', visible: true, verdict: 'allow', reasons: [] })
  expect(layers.every(({ passes, fix }) => passes && fix === undefined)).toBe(true)
})

test('explanations are sorted by name in code unit order', () => {
  const tools = ['b.a', 'a_b', 'a.b', 'mcp:x:B', 'mcp:x:a'].map((name) => toolNamed(name))
  expect(explain(tools, scopeWith()).map(({ tool }) => tool)).toEqual([
    'a.b',
    'a_b',
    'b.a',
    'mcp:x:B',
    'mcp:x:a',
  ])
})

test('a tool with missing configuration is shown as misconfigured, a hidden one not at all', () => {
  const needy = toolNamed('billing.find', { secrets: [secret] })
  const broken = toolNamed('a.b', { quarantine: 'its schema is too deep' })
  const denied = scopeWith({ levels: [{ name: 'global', allow: [], deny: ['*'] }] })
  expect([
    findToolState(toolNamed('a.b'), scopeWith()),
    findToolState(needy, scopeWith()),
    findToolState(broken, scopeWith()),
    findToolState(needy, denied),
  ]).toEqual([
    { state: 'ready' },
    {
      state: 'misconfigured',
      reason: 'secret stripe_key is not set',
      fix: 'toolcrib secrets set stripe_key (members who hold secrets.write can set it: owner, admin, operator, or a key with that scope)',
    },
    {
      state: 'quarantined',
      reason: 'quarantined: its schema is too deep',
      fix: 'review the tool: accept its change, or fix its definition',
    },
    undefined,
  ])
})
