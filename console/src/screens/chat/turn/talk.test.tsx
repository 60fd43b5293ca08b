import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTalk } from './talk.ts'
import type { Talk } from './talk.ts'

const realFetch = window.fetch

/** What the server streams of one turn. */
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

describe('a turn that is read along', () => {
  let opened: [Talk, string][] = []
  beforeEach(() => {
    opened = []
    window.fetch = () => Promise.resolve(streamed())
  })
  afterEach(() => {
    window.fetch = realFetch
  })

  test('is over for good when it ends, however fast what is stored is read', async () => {
    const phases: string[] = []
    const talk = createTalk({
      agent: 'helper',
      conversationId: undefined,
      onOpened: (...one) => opened.push(one),
      refresh: () => Promise.resolve(),
    })
    talk.subscribe(() => phases.push(talk.state().phase))
    expect(await talk.say([{ type: 'text', text: 'hello' }])).toBe(true)
    await expect.poll(() => talk.state().phase).toBe('idle')
    // Longer than any drawing is put off.
    await pause(150)
    expect(talk.state()).toMatchObject({ phase: 'idle', answer: undefined, problem: undefined })
    expect(phases).toContain('answering')
    expect(phases.lastIndexOf('answering')).toBeLessThan(phases.indexOf('idle'))
    expect(opened).toEqual([[talk, 'conv_1']])
  })
})
