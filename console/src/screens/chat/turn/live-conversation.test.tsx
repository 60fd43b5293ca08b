import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLiveConversation } from './live-conversation.ts'
import type { LiveConversation } from './live-conversation.ts'

const realFetch = window.fetch

/** One turn as the server streams it. */
const turn = [
  { type: 'start', messageId: 'msg_1' },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'I am here.' },
  { type: 'text-end', id: '1' },
  { type: 'finish', finishReason: 'stop' },
]

function streamed(): Response {
  const body = `${turn.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'x-conversation-id': 'conv_1' },
  })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a streamed turn', () => {
  let opened: [LiveConversation, string][] = []
  beforeEach(() => {
    opened = []
    window.fetch = () => Promise.resolve(streamed())
  })
  afterEach(() => {
    window.fetch = realFetch
  })

  test('stays idle after it ends, however fast the stored conversation is read', async () => {
    const phases: string[] = []
    const live = createLiveConversation({
      agent: 'helper',
      conversationId: undefined,
      onOpened: (...one) => opened.push(one),
      refresh: () => Promise.resolve(),
    })
    live.subscribe(() => phases.push(live.state().phase))
    expect(await live.send([{ type: 'text', text: 'hello' }])).toBe(true)
    await expect.poll(() => live.state().phase).toBe('idle')
    // Longer than any render is delayed.
    await pause(150)
    expect(live.state()).toMatchObject({ phase: 'idle', answer: undefined, problem: undefined })
    expect(phases).toContain('answering')
    expect(phases.lastIndexOf('answering')).toBeLessThan(phases.indexOf('idle'))
    expect(opened).toEqual([[live, 'conv_1']])
  })
})
