import { setTimeout as sleep } from 'node:timers/promises'

/** A reader of the event stream that comes back with the last id it saw, as a browser does. */
export interface EventReader {
  /** Every id that it was given, in order. */
  readonly ids: readonly string[]
  /** How often it was connected. */
  readonly connections: number
  /** What went wrong beside a stream that ended: refusals and error frames. */
  readonly failures: readonly string[]
  stop(): Promise<void>
}

/** Follows from the cursor `after` until it is stopped. */
export function followAll(url: string, options: { token: string; after: string }): EventReader {
  const reader = { ids: [] as string[], connections: 0, failures: [] as string[] }
  const leaving = new AbortController()
  const take = (frame: Frame | 'connected') => {
    if (frame === 'connected') reader.connections += 1
    else if (frame.id === undefined) reader.failures.push(frame.text)
    else reader.ids.push(frame.id)
    return frame === 'connected' ? undefined : frame.id
  }
  const following = (async () => {
    let last = options.after
    while (!leaving.signal.aborted) {
      try {
        const frames = readStream(url, { ...options, last, signal: leaving.signal })
        for await (const frame of frames) last = take(frame) ?? last
      } catch (error) {
        if (!leaving.signal.aborted) reader.failures.push(String(error))
      }
      await sleep(20)
    }
  })()
  return Object.assign(reader, {
    async stop() {
      leaving.abort()
      await following
    },
  })
}

interface Frame {
  id: string | undefined
  text: string
}

async function* readStream(
  url: string,
  { token, last, signal }: { token: string; last: string; signal: AbortSignal },
): AsyncGenerator<Frame | 'connected', void> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'text/event-stream',
    'last-event-id': last,
  }
  const response = await fetch(`${url}/api/v1/events`, { headers, signal })
  if (response.status !== 200 || response.body === null) {
    throw new Error(`${response.status}: ${await response.text()}`)
  }
  yield 'connected'
  let rest = ''
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + piece).split('\n\n')
    // What was cut off in the middle is no frame: it comes again after the last whole one.
    rest = frames.pop() ?? ''
    for (const text of frames.filter((frame) => /^data: /m.test(frame))) {
      yield { id: /^id: (.*)$/m.exec(text)?.[1], text }
    }
  }
}
