import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a request may take to come in, in milliseconds. */
export interface BodyTimes {
  normalMs: number
  uploadMs: number
  isUpload(url: string): boolean
}

interface Coming {
  incoming: IncomingMessage
  since: number
}

const lookEveryMs = 1_000

/**
 * Cuts off requests that take too long. Node has a single limit for all, and uploads need more time
 * than the rest may have. A connection's next request begins when its last one has arrived, so it
 * takes that one's place: a list of all requests until the next check would carry thousands of them
 * through the garbage collection.
 */
export function watchBodies(
  server: Server,
  { normalMs, uploadMs, isUpload }: BodyTimes,
): (incoming: IncomingMessage) => void {
  const coming = new Map<Socket, Coming>()
  const look = () => {
    const now = performance.now()
    for (const [socket, { incoming, since }] of coming) {
      const isOver = incoming.complete || socket.destroyed
      const most = isUpload(incoming.url ?? '') ? uploadMs : normalMs
      if (!isOver && now - since <= most) continue
      coming.delete(socket)
      if (!isOver) server.emit('clientError', tooSlow(), socket)
    }
  }
  const timer = setInterval(look, Math.min(lookEveryMs, normalMs)).unref()
  server.once('close', () => clearInterval(timer))
  return (incoming) => {
    if (incoming.method !== 'GET')
      coming.set(incoming.socket, { incoming, since: performance.now() })
  }
}

/** As Node words it. */
function tooSlow(): Error {
  return Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}
