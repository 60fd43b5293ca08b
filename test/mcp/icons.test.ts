import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ownerOf } from '../../src/app/owner.ts'
import { until } from '../setup/gateway-crib.ts'
import { type McpCrib, openMcpCrib } from './mcp-crib.ts'

const program = path.join(import.meta.dirname, 'upstream/hostile-server.ts')
let mcp: McpCrib | undefined
afterEach(() => mcp?.close())

test.each(['today', 'older'] as const)(
  'a client of the era of %s is given the icons of a tool of another server that can do no harm',
  async (era) => {
    const up = { command: process.execPath, args: [program], env: { HOSTILE: 'icons' } }
    const opened = await openMcpCrib({ config: { mcpServers: { up } } })
    mcp = opened
    // A client of today keeps a list for as long as it was told that it may.
    const isListed = async () => {
      const { items } = await opened.crib.api.listTools(ownerOf(), { limit: 1000 })
      return items.some(({ name }) => name.endsWith('pictured'))
    }
    await until(isListed)
    const client = await opened.connect(await opened.createKey(), { era })
    const find = async (end: string) =>
      (await client.listTools()).tools.find(({ name }) => name.endsWith(end))
    expect((await find('pictured'))?.icons).toEqual([
      { src: 'https://example.com/a.png', mimeType: 'image/png', sizes: ['48x48'] },
      { src: 'data:image/svg+xml;base64,PHN2Zy8+', sizes: ['any'], theme: 'dark' },
    ])
    expect(await find('say')).not.toHaveProperty('icons')
    await client.close()
  },
)
