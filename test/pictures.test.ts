import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generateText, isStepCount } from 'ai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineTool } from '../src/core/define-tool.ts'
import { z } from 'zod'
import { callTools, playModel, sayText } from '../src/doors/sdk/testing/play-model.ts'
import { toPng } from '../src/tools/file/testing/to-png.ts'
import { type McpCrib, openMcpCrib } from './mcp/mcp-crib.ts'
import { createTestCrib } from '../src/testing/create-test-crib.ts'

// Larger than what stays in the record itself.
const picture = Buffer.concat([toPng({ width: 64, height: 48 }), randomBytes(20_000)])
picture.set(Buffer.from('IEND'), picture.length - 4)
const data = picture.toString('base64')

const draw = defineTool({
  name: 'picture.draw',
  description: 'Draws a picture into the workspace.',
  effect: 'write',
  inputSchema: z.object({}),
  execute: async (_, { workspace }) => {
    await workspace.write('a.png', picture)
    return null
  },
})
const input = { path: 'a.png', encoding: null, offset: null, limit: null, tail: null }

let folder: string
let mcp: McpCrib
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-pictures-'))
  await chmod(folder, 0o711)
  mcp = await openMcpCrib({ data: folder, tools: [draw], config: {} })
})
afterAll(async () => {
  await mcp.close()
  await rm(folder, { recursive: true, force: true })
})

test('a picture of the workspace is shown to a model through a tool set', async () => {
  const crib = await createTestCrib({ cwd: folder, tools: [draw] })
  const set = await crib.toolSet({ sessionId: 's' })
  const model = playModel([
    callTools(['picture_draw', {}]),
    callTools(['file_read', input]),
    sayText('ok'),
  ])
  const { tools, toolApproval } = set
  await generateText({ model, tools, toolApproval, stopWhen: isStepCount(4), prompt: 'look' })
  await crib.close()
  const told = model.doGenerateCalls.at(-1)?.prompt.at(-1)
  expect(told).toMatchObject({
    role: 'tool',
    content: [
      {
        output: {
          type: 'content',
          value: [
            { type: 'text', text: expect.stringContaining('64 × 48 pixels') },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data } },
          ],
        },
      },
    ],
  })
})

test.each(['today', 'older'] as const)(
  'an MCP client of %s gets it as an image, with the facts as structured output',
  async (era) => {
    const client = await mcp.connect(await mcp.createKey(), { era })
    // From here on the client checks structured output by what is listed.
    await client.listTools()
    await client.callTool({ name: 'picture_draw', arguments: {} })
    const read = await client.callTool({ name: 'file_read', arguments: input })
    expect(read.isError).toBeUndefined()
    expect(read.content).toMatchObject([
      { type: 'text', text: expect.stringContaining('a.png (image/png, 64 × 48 pixels') },
      { type: 'image', mimeType: 'image/png', data },
    ])
    expect(read.structuredContent).toMatchObject({ path: 'a.png', bytes: picture.length })
    await client.close()
  },
)
