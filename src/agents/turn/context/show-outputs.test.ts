import { expect, test } from 'vitest'
import type { ConversationMessage, Turn } from '../../../core/conversations/conversation.ts'
import { compileTool } from '../../../doors/sdk/compile-tool.ts'
import { offered } from '../../../core/search/offered.fixture.ts'
import type { Provider } from '../../models/provider.ts'
import { anthropic } from '../../models/providers/anthropic.ts'
import { openaiCompatible } from '../../models/providers/openai-compatible.ts'
import { createShowOutput } from './show-outputs.ts'
import { toModelMessages } from './to-model-messages.ts'

const turn = { tenant: 'acme' } as Turn
const bytes = new TextEncoder().encode('a picture')

/** A message with the pictures of these calls, each of which was stored apart. */
function seen(...calls: { callId: string; size?: number }[]): ConversationMessage {
  const parts = calls.map(({ callId, size = bytes.length }) => ({
    type: 'tool-chart_draw',
    toolCallId: callId,
    state: 'output-available',
    input: {},
    output: {
      $content: [
        {
          type: 'image',
          data: '',
          mimeType: 'image/png',
          $artifact: { id: `art_${callId}`, bytes: size, mediaType: 'image/png' },
        },
      ],
    },
    toolMetadata: { callId },
  }))
  return { id: 'm', role: 'assistant', parts }
}

/** The parts that a model is sent, and the pictures that were read. */
async function show(message: ConversationMessage, provider: Provider) {
  const read: string[] = []
  const showOutput = createShowOutput(
    [message],
    { turn, chosen: { provider } },
    {
      async readArtifact(tenant, callId, { id }) {
        read.push(`${tenant} ${callId} ${id}`)
        return callId === 'gone' ? undefined : bytes
      },
    },
  )
  const tool = offered('chart.draw', ['Draw', 'Draws a chart.'])
  const dress = { flavour: 'plain', strict: false, media: provider.outputMedia } as const
  const tools = { chart_draw: compileTool(tool, dress) as never }
  const showFile = async () => ({ type: 'text', text: 'a file' })
  const messages = await toModelMessages([message], { tools, showFile, showOutput })
  const results = messages.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  return { read, told: results.map((part) => JSON.stringify(part)) }
}

test('a stored picture is shown to a model that can see it', async () => {
  const { read, told } = await show(seen({ callId: 'one' }, { callId: 'gone' }), anthropic)
  expect(read.toSorted()).toEqual(['acme gone art_gone', 'acme one art_one'])
  expect(told[0]).toContain(Buffer.from(bytes).toString('base64'))
  expect(told[1]).toContain('[image/png, 9 bytes: not shown here, kept with gone]')
})

test('the newest are shown, as many as go into a request; the others are named', async () => {
  const size = 15_000_000
  const { read } = await show(seen({ callId: 'old', size }, { callId: 'new', size }), anthropic)
  expect(read).toEqual(['acme new art_new'])
})

test('nothing is read for a model that can not be shown it', async () => {
  const { read, told } = await show(seen({ callId: 'one' }), openaiCompatible)
  expect(read).toEqual([])
  expect(told[0]).toContain('not shown here')
})
