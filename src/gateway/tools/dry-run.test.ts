import { expect, test } from 'vitest'
import { mcpServerSchema } from '../../core/gateway/server-spec.ts'
import { aContext } from '../../testing/a-context.ts'
import { toGatewayTool } from './to-gateway-tool.ts'

const spec = mcpServerSchema.parse({
  url: 'https://example.com/mcp',
  previewWith: { 'delete-*': { dryRun: true } },
})

function toolOf(localName: string, answer: unknown) {
  const asked: unknown[] = []
  const { tool } = toGatewayTool({
    server: 'files',
    spec,
    localName,
    definition: { name: localName, inputSchema: { type: 'object' } },
    secrets: [],
    execute(input) {
      asked.push(input)
      return answer
    },
  })
  const show = async () =>
    typeof tool.preview === 'function' ? tool.preview({ path: 'a' }, aContext()) : undefined
  return { tool, asked, show }
}

test('a tool with a dry run is previewed by it', async () => {
  const { tool, asked, show } = toolOf('delete-file', Promise.resolve({ wouldDelete: 3 }))
  expect(tool.contract.preview).toEqual({ binds: false })
  expect(await show()).toMatchObject({
    changes: [{ target: 'delete-file', after: { wouldDelete: 3 } }],
  })
  expect(asked).toEqual([{ path: 'a', dryRun: true }])
})

test('a server that answers with a preview is shown as it answers', async () => {
  const preview = { summary: 'Deletes a.', changes: [{ target: 'a' }] }
  const content = { $content: [{ type: 'text', text: 'x' }], $structured: preview }
  expect(await toolOf('delete-all', content).show()).toEqual(preview)
  const text = { $content: [{ type: 'text', text: 'would delete a' }] }
  expect((await toolOf('delete-all', text).show())?.changes[0]?.after).toBe('would delete a')
})

test('other tools have no preview', () => {
  expect(toolOf('read-file', 1).tool.preview).toBeUndefined()
})
