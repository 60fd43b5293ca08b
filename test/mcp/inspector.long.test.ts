import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { owner, zipOf } from '../skills/skill-crib.ts'
import { openMcpCrib } from './mcp-crib.ts'

const inspector = path.join(import.meta.dirname, '../../node_modules/.bin/mcp-inspector')

// The tools of tool search are only listed for those who search.
test.each([
  { era: 'modern', toolMode: 'list', listed: ['skill_read'] },
  { era: 'legacy', toolMode: 'list', listed: ['skill_read'] },
  { era: 'modern', toolMode: 'search', listed: ['tools_call', 'tools_describe', 'tools_search'] },
  { era: 'legacy', toolMode: 'search', listed: ['tools_call', 'tools_describe', 'tools_search'] },
] as const)(
  'the inspector finds nothing wrong with our own tools in the $era era, mode $toolMode',
  async ({ era, toolMode, listed }) => {
    // The tools of flow take and return any value on purpose.
    const mcp = await openMcpCrib({
      config: { agents: [{ slug: 'own', tools: { allow: ['*'], deny: ['flow.*'] } }] },
    })
    // Only an agent with a skill is offered the tools that read skills.
    await mcp.crib.api.installSkill(owner, { zip: zipOf('name: helper') })
    await mcp.crib.api.enableSkill(owner, { slug: 'own', name: 'helper' })
    const { token } = await mcp.createKey({ toolMode })
    const { stdout, stderr } = await promisify(execFile)(inspector, [
      '--cli',
      `${mcp.server.url}/mcp${toolMode === 'list' ? '/own' : ''}`,
      '--transport',
      'http',
      '--header',
      `Authorization: Bearer ${token}`,
      '--protocol-era',
      era,
      '--method',
      'tools/list',
      '--strict',
    ])
    const { tools } = JSON.parse(stdout.slice(0, stdout.lastIndexOf('\n}') + 2)) as {
      tools: { name: string }[]
    }
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...listed]))
    expect(`${stdout}${stderr}`).not.toMatch(/^(?:Warning|Error)/m)
    await mcp.close()
  },
)
