import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { ownerOf } from '../../src/app/owner.ts'
import { iconPaths } from '../../src/doors/mcp/tools/icon-paths.ts'
import { until } from '../setup/gateway-crib.ts'
import { defineTool } from '../../src/core/define-tool.ts'
import { packs } from '../../src/tools/packs.ts'
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

const pictured = (name: string, icon: string) =>
  defineTool({
    name,
    description: 'A tool with a picture.',
    icon,
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => 'done',
  })

test.each(['today', 'older'] as const)(
  'a picture that a tool names reaches a client of the era of %s, and so does that of the server',
  async (era) => {
    mcp = await openMcpCrib({
      tools: [
        pictured('icon.named', 'receipt-refund'),
        pictured('icon.unknown', 'no-such-icon'),
        pictured('icon.inherited', 'constructor'),
        pictured('icon.address', 'https://example.com/a.png'),
      ],
    })
    const client = await mcp.connect(await mcp.createKey(), { era })
    const { tools } = await client.listTools()
    const iconsOf = (name: string) => tools.find((tool) => tool.name === name)?.icons
    const [named] = iconsOf('icon_named') ?? []
    expect(named).toMatchObject({ mimeType: 'image/svg+xml', sizes: ['any'] })
    const [head = '', data = ''] = named?.src.split(',') ?? []
    expect(head).toBe('data:image/svg+xml;base64')
    expect(Buffer.from(data, 'base64').toString()).toMatch(
      /^<svg xmlns=.*<path d="M5 21v-16.*<\/svg>$/,
    )
    expect(iconsOf('icon_unknown')).toBeUndefined()
    expect(iconsOf('icon_inherited')).toBeUndefined()
    expect(iconsOf('icon_address')).toEqual([{ src: 'https://example.com/a.png' }])
    expect(client.getServerVersion()?.icons?.[0]?.src).toMatch(/^data:image\/svg\+xml;base64,/)
    await client.close()
  },
)

test('there is a picture for every icon that a tool of ours names', () => {
  const names = packs.flatMap(({ tools }) => tools.map(({ contract }) => contract.icon ?? ''))
  expect(names.filter((name) => name !== '' && !Object.hasOwn(iconPaths, name))).toEqual([])
})
