import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { liveEvents } from './live-events.ts'
import { pauseWhenHidden } from './pause-when-hidden.ts'

const realFetch = window.fetch
/** One for every stream that was asked for; aborted when it is given back. */
let streams: AbortSignal[] = []
let stop = () => {}

beforeEach(() => {
  streams = []
  window.fetch = (request) => {
    if (!(request instanceof Request)) throw new TypeError('Not a request of ours')
    streams.push(request.signal)
    const body = new ReadableStream({
      start(controller) {
        request.signal.addEventListener('abort', () => controller.error(request.signal.reason))
      },
    })
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
  }
})

afterEach(() => {
  stop()
  liveEvents.stop()
  show('visible')
  window.fetch = realFetch
})

function show(state: 'visible' | 'hidden'): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: state })
  document.dispatchEvent(new Event('visibilitychange'))
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const openCount = () => streams.filter(({ aborted }) => !aborted).length

async function openTab(queryClient: QueryClient, hiddenMs: number): Promise<void> {
  liveEvents.start()
  stop = pauseWhenHidden(queryClient, hiddenMs)
  await expect.poll(() => liveEvents.state()).toBe('live')
}

test('a hidden tab closes its stream, and reads again when it is shown', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  queryClient.setQueryData(['calls'], 'old')
  await openTab(queryClient, 20)
  expect(openCount()).toBe(1)
  show('hidden')
  await expect.poll(openCount).toBe(0)
  expect(liveEvents.state()).toBe('connecting')
  expect(queryClient.getQueryState(['calls'])?.isInvalidated).toBe(false)
  show('visible')
  await expect.poll(() => liveEvents.state()).toBe('live')
  expect(openCount()).toBe(1)
  expect(queryClient.getQueryState(['calls'])?.isInvalidated).toBe(true)
})

test('a glance at another tab costs nothing', async () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(['calls'], 'old')
  await openTab(queryClient, 400)
  show('hidden')
  await pause(30)
  show('visible')
  await pause(500)
  expect(streams).toHaveLength(1)
  expect(openCount()).toBe(1)
  expect(queryClient.getQueryState(['calls'])?.isInvalidated).toBe(false)
})

test('a tab that is opened in the background rests as well', async () => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
  await openTab(new QueryClient(), 20)
  await expect.poll(openCount).toBe(0)
})
