import { setTimeout as sleep } from 'node:timers/promises'
import type { CribEvent } from '../../src/core/events/event.ts'
import type { ChaosClient } from './chaos-client.ts'
import type { LoggedEvent } from './evidence.ts'
import { type FeedReader, toLoggedEvent } from './follow-feed.ts'

/** A paused node keeps its streams open and says nothing; who hears nothing for so long tries another. */
const longestSilenceMs = 1500

/** Reads the whole log as a stream. When the stream breaks it goes on at another node, after the last event it saw. */
export function followStream(client: ChaosClient): FeedReader {
  const followed: LoggedEvent[] = []
  const end = new AbortController()
  let lastId: string | undefined

  /** True when it ended because there was nothing more to hear. */
  async function readStream(): Promise<boolean> {
    const headers = { accept: 'text/event-stream', ...(lastId && { 'last-event-id': lastId }) }
    const response = await client.open('/api/v1/events?limit=100', headers)
    if (response?.status !== 200 || response.body === null) return false
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    try {
      for (let text = ''; ;) {
        const chunk = await Promise.race([reader.read(), sleep(longestSilenceMs, undefined)])
        if (chunk === undefined || chunk.done) return chunk === undefined
        const frames = (text + chunk.value).split('\n\n')
        text = frames.pop() ?? ''
        for (const event of frames.flatMap(toEvent)) {
          followed.push(toLoggedEvent(event))
          lastId = event.id
        }
      }
    } finally {
      await reader.cancel().catch(() => undefined)
    }
  }

  const reading = (async () => {
    while (true) {
      const mayBeLast = end.signal.aborted
      const isQuiet = await readStream().catch(() => false)
      if (mayBeLast && isQuiet) return
      await sleep(20)
    }
  })()
  return {
    followed,
    async finish() {
      end.abort()
      await reading
    },
  }
}

/** The event of a frame; none where it is a heartbeat, a farewell or an error. */
function toEvent(frame: string): CribEvent[] {
  const lines = frame.split('\n')
  const id = lines.find((line) => line.startsWith('id: '))
  const data = lines.find((line) => line.startsWith('data: '))
  if (id === undefined || data === undefined) return []
  return [JSON.parse(data.slice('data: '.length)) as CribEvent]
}
