import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Many readers of one event stream, each on a connection of its own. */
export interface SseReaders {
  /** The ids in the order in which they come; every reader has to be given the same. */
  readonly ids: readonly string[]
  /** How many readers have had at least so many events. */
  countWith(events: number): number
  /** Resolves when every reader has had so many events; rejects when one got another order, or was cut. */
  until(events: number): Promise<void>
  /** Stops reading for these, so that their sockets fill up. */
  pause(from: number, to: number): void
  resume(): void
  close(): void
}

interface Reader {
  socket: Socket
  events: number
  rest: string
}

/** Opens so many connections and resolves when each has its answer. */
export async function openSseReaders(
  count: number,
  url: URL,
  headers: Record<string, string>,
): Promise<SseReaders> {
  const ids: string[] = []
  const check = createCheck()
  const readers: Reader[] = []
  // In groups: a thousand connections in one moment are more than a listening socket holds.
  for (let opened = 0; opened < count; opened += 50) {
    const group = Array.from({ length: Math.min(50, count - opened) }, () => open(url, headers))
    for (const reader of await Promise.all(group)) {
      readers.push(reader)
      const take = (text: string) => {
        for (const id of takeIds(reader, text)) {
          const place = reader.events++
          if (place === ids.length) ids.push(id)
          if (ids[place] !== id) check.fail(new Error(`A reader got ${id} in place ${place}`))
        }
        check.run()
      }
      reader.socket.on('data', (chunk) => take(chunk.toString('latin1')))
      reader.socket.on('close', () => check.fail(new Error('A stream was cut')))
      take('')
      reader.socket.resume()
    }
  }
  const countWith = (events: number) => readers.filter((one) => one.events >= events).length
  return {
    ids,
    countWith,
    until: (events) => check.until(() => countWith(events) === readers.length),
    pause: (from, to) => readers.slice(from, to).forEach(({ socket }) => socket.pause()),
    resume: () => readers.forEach(({ socket }) => socket.resume()),
    close() {
      check.stop()
      for (const { socket } of readers) socket.destroy()
    },
  }
}

async function open(url: URL, headers: Record<string, string>): Promise<Reader> {
  const socket = connect(Number(url.port), url.hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const lines = Object.entries({ host: url.host, accept: 'text/event-stream', ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${head}\r\n`)
  // Nothing is read between the answer and whoever counts the events.
  socket.once('data', () => socket.pause())
  const [first] = (await once(socket, 'data')) as [Buffer]
  const text = first.toString('latin1')
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(text.slice(0, 300))
  return { socket, events: 0, rest: text }
}

/** The ids in what came; an unfinished line waits for its end. */
function takeIds(reader: Reader, text: string): string[] {
  const lines = (reader.rest + text).split('\n')
  reader.rest = lines.pop() ?? ''
  return lines.filter((line) => line.startsWith('id: ')).map((line) => line.slice(4))
}

function createCheck() {
  let failure: Error | undefined
  let waiting: { isDone: () => boolean; resolve: () => void; reject: (error: Error) => void }[] = []
  let timer: NodeJS.Immediate | undefined
  let isStopped = false
  const look = () => {
    timer = undefined
    waiting = waiting.filter(({ isDone, resolve, reject }) => {
      if (failure !== undefined) reject(failure)
      else if (isDone()) resolve()
      else return true
      return false
    })
  }
  const run = () => void (timer ??= setImmediate(look))
  return {
    run,
    fail(error: Error) {
      if (isStopped) return
      failure ??= error
      run()
    },
    stop: () => (isStopped = true),
    until(isDone: () => boolean): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ isDone, resolve, reject })
      run()
      return promise
    },
  }
}
