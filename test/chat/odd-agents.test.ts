import { expect, test } from 'vitest'
import { syncDeclared } from '../../src/app/governance/declared.ts'
import { findOddRules } from '../../src/app/governance/odd-rules.ts'
import { parseConfig } from '../../src/app/config/load-config.ts'
import { createRegistry } from '../../src/core/registry.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'

async function oddIn(agents: readonly object[]) {
  const config = parseConfig({ agents }, undefined)
  const store = await freshStore()
  await syncDeclared(config, store)
  return findOddRules(config, { registry: createRegistry(), store })
}

test('settings for an agent that can be asked are no slip; for one that is not there they are', async () => {
  const odd = await oddIn([
    { slug: 'research', description: 'Finds out.' },
    {
      slug: 'boss',
      settings: { 'agent:research': { timeoutMs: 5000 }, 'agent:nobody': { timeoutMs: 5000 } },
    },
  ])
  expect(odd).toEqual([expect.stringContaining('no tool is called agent:nobody')])
})

test('provider tools that can not work are told at the start', async () => {
  const providerTools = [{ tool: 'opnai.web_search' }, { tool: 'anthropic.bash_20250124' }]
  expect(await oddIn([{ slug: 'finder', providerTools }])).toEqual([
    'Agent finder: opnai.web_search: only anthropic, openai, google have tools of their own',
    expect.stringContaining('anthropic.bash_20250124 is not run by anthropic'),
  ])
})
