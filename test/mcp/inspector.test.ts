import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openMcpCrib } from './mcp-crib.ts'

const inspector = path.join(import.meta.dirname, '../../node_modules/.bin/mcp-inspector')

test.each(['modern', 'legacy'])(
  'the inspector finds nothing wrong with our own tools in the %s era',
  async (era) => {
    const mcp = await openMcpCrib({})
    const { token } = await mcp.createKey()
    const { stdout, stderr } = await promisify(execFile)(inspector, [
      '--cli',
      `${mcp.server.url}/mcp`,
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
    expect(tools.map(({ name }) => name)).toContain('skill_read')
    expect(`${stdout}${stderr}`).not.toMatch(/^(?:Warning|Error)/m)
    await mcp.close()
  },
)
