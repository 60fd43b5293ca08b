import { expect, test } from 'vitest'
import { toAgentChange } from './changes.ts'
import { agentWith, scopeWith, toolNamed } from './policy.fixture.ts'
import type { Scope } from './scope.ts'
import { findStop } from './visible-tools.ts'

const tool = toolNamed('file.write')
const byAnna = 'user:anna on 2026-11-15 10:00'

/** The author of the rule that hides the tool, and the change that would lift it. */
function whoAndHow(scope: Partial<Scope>, of = tool) {
  const stop = findStop(of, scopeWith(scope))
  return [stop?.reason, stop?.setBy, stop?.change]
}

test('for an agent without a grant the change is a grant, even if configuration declares the agent', () => {
  const agent = agentWith([], { setBy: 'configuration' })
  expect(whoAndHow({ agent })).toEqual([
    'agent support has no grant for file.write',
    'configuration',
    {
      command: 'toolcrib agents grant support file.write',
      api: 'POST /api/v1/agents/support/grants',
    },
  ])
})

test('a deny is removed at its source: manual, configuration, or skill', () => {
  const deniedBy = (source: string, tenant = 'default') => {
    const allow = { pattern: '*', kind: 'allow', sources: ['manual'] } as const
    const deny = { pattern: 'file.*', kind: 'deny', sources: [source] } as const
    const agent = agentWith([], { grants: [allow, deny], setBy: byAnna })
    return whoAndHow({ agent, tenant }).slice(1)
  }
  expect(deniedBy('manual')).toEqual([
    byAnna,
    {
      command: "toolcrib agents revoke support 'file.*'",
      api: 'DELETE /api/v1/agents/support/grants',
    },
  ])
  expect(deniedBy('global')).toEqual(['configuration', { configuration: 'agents[support].tools' }])
  expect(deniedBy('global', 'acme')).toEqual([
    'configuration',
    { configuration: 'tenants[acme].agents[support].tools' },
  ])
  expect(deniedBy('skill:invoices')).toEqual([
    'skill invoices',
    { command: 'toolcrib skills disable invoices --agent support' },
  ])
})

test('a deny two levels up names that parent and its sources', () => {
  const near = agentWith(['*'], { slug: 'team', setBy: byAnna })
  const far = agentWith(['*'], { slug: 'lead', deny: ['file.*'], setBy: byAnna })
  expect(whoAndHow({ agent: agentWith(['*']), parents: [near, far] })).toEqual([
    'parent agent lead is denied file.* (manual); it is granted * (manual), but deny wins',
    byAnna,
    { command: "toolcrib agents revoke lead 'file.*'", api: 'DELETE /api/v1/agents/lead/grants' },
  ])
})

test('a level has an author and a place to change it', () => {
  const deny = { allow: [], deny: ['file.*'] }
  const of = (name: string, setBy: string) =>
    whoAndHow({ levels: [{ name, setBy, ...deny }] }).slice(1)
  expect(of('global', 'configuration')).toEqual(['configuration', { configuration: 'policy' }])
  expect(of('tenant', 'configuration')).toEqual([
    'configuration',
    { configuration: 'tenants[acme].policy' },
  ])
  expect(of('tenant', byAnna)).toEqual([
    byAnna,
    { command: 'toolcrib policy set tenant', api: 'PUT /api/v1/policies/policy/tenant' },
  ])
  expect(of('provider openai', 'configuration')).toEqual([
    'configuration',
    { configuration: 'providers.openai' },
  ])
})

test('a pack that the tenant disabled is enabled by a command, a configured one in configuration', () => {
  const off = (setBy: string) => whoAndHow({ packs: { file: { tenant: false, setBy } } }).slice(1)
  expect(off(byAnna)).toEqual([
    byAnna,
    { command: 'toolcrib policy set pack:file --on', api: 'PUT /api/v1/policies/pack/file' },
  ])
  expect(off('configuration')).toEqual([
    'configuration',
    { configuration: 'tenants[acme].packs.file' },
  ])
  expect(whoAndHow({ packs: { file: { everyone: false } } }).slice(1)).toEqual([
    'configuration',
    { command: 'toolcrib policy set pack:file --on', api: 'PUT /api/v1/policies/pack/file' },
  ])
})

test('flags and settings of an agent are changed with the agent', () => {
  const recall = toolNamed('memory.recall')
  const forgetful = agentWith(['*'], { memoryEnabled: false, setBy: byAnna })
  expect(whoAndHow({ agent: forgetful }, recall).slice(1)).toEqual([
    byAnna,
    {
      command: `toolcrib agents set support --input '{"memoryEnabled":true}'`,
      api: 'PATCH /api/v1/agents/support',
    },
  ])
  const settings = { 'file.write': { enabled: false } }
  const agent = agentWith(['*'], { settings, setBy: 'configuration' })
  expect(whoAndHow({ agent, tenant: 'default' }).slice(1)).toEqual([
    'configuration',
    { configuration: 'agents[support].settings["file.write"].enabled' },
  ])
})

test.each([
  ['autonomy', '--autonomy standard'],
  ['tools.profile', '--profile PROFILE'],
  ['hooks.confirm', `--input '{"hooks":…}' (all of hooks, with the change)`],
  ['settings["file.write"].enabled', `--input '{"settings":…}' (all of settings, with the change)`],
  ['permissions', `--input '{"permissions":…}' (all of permissions, with the change)`],
])('a change of %s shows the command', (field, option) => {
  const place = { tenant: 'default', slug: 'support', setBy: byAnna }
  expect(toAgentChange(place, field).command).toBe(`toolcrib agents set support ${option}`)
})
