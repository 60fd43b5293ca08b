import { expect, test } from 'vitest'
import { fixOf } from './fix-of.ts'

const reason = 'because'

test('the change that explain names becomes an action', () => {
  const fixes = [
    fixOf({ layer: 'needs', reason, change: { api: 'PUT /api/v1/secrets/tavily_key' } }, 'a.b'),
    fixOf({ layer: 'grants', reason, change: { api: 'POST /api/v1/agents/ada/grants' } }, 'a.b'),
    fixOf({ layer: 'grants', reason, change: { api: 'DELETE /api/v1/agents/ada/grants' } }, 'a.b'),
    fixOf({ layer: 'flags', reason, change: { api: 'PATCH /api/v1/agents/ada' } }, 'a.b'),
    fixOf(
      { layer: 'policy', reason, change: { api: 'PUT /api/v1/policies/policy/tenant' } },
      'a.b',
    ),
    fixOf({ layer: 'catalogue', reason, change: { api: 'PUT /api/v1/policies/pack/web' } }, 'a.b'),
    fixOf(
      { layer: 'grants', reason, change: { command: 'toolcrib skills disable x --agent ada' } },
      'a.b',
    ),
    fixOf({ layer: 'policy', reason, change: { command: 'toolcrib skills install x' } }, 'a.b'),
    fixOf(
      { layer: 'permission', reason, change: { command: 'toolcrib members change ID …' } },
      'a.b',
    ),
    fixOf({ layer: 'hooks', reason, change: { configuration: 'agents[ada].hooks' } }, 'a.b'),
    fixOf({ layer: 'health', reason }, 'mcp:notes:search'),
    fixOf({ layer: 'health', reason }, 'a.b'),
    fixOf({ layer: 'runtime', reason }, 'a.b'),
  ]
  expect(fixes).toEqual([
    { kind: 'secret', name: 'tavily_key' },
    { kind: 'grant', agent: 'ada' },
    { kind: 'agent', agent: 'ada', tab: 'policy' },
    { kind: 'agent', agent: 'ada', tab: 'settings' },
    { kind: 'policy', of: 'policy', name: 'tenant' },
    { kind: 'policy', of: 'pack', name: 'web' },
    { kind: 'agent', agent: 'ada', tab: 'skills' },
    { kind: 'skill', name: 'x' },
    { kind: 'members' },
    { kind: 'configuration', key: 'agents[ada].hooks' },
    { kind: 'mcp-server', server: 'notes' },
    undefined,
    undefined,
  ])
})
