import type { IncomingMessage, Server } from 'node:http'

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
 * Cuts off whoever takes too long for a request. Node itself knows one time for all, and files that
 * are handed in need more than the rest may have. What has come is forgotten at the next look, so a
 * request costs no more than its place in a list.
 */
export function watchBodies(
  server: Server,
  { normalMs, uploadMs, isUpload }: BodyTimes,
): (incoming: IncomingMessage) => void {
  let coming: Coming[] = []
  const look = () => {
    const now = Date.now()
    coming = coming.filter(({ incoming, since }) => {
      if (incoming.complete || incoming.socket.destroyed) return false
      const most = isUpload(incoming.url ?? '') ? uploadMs : normalMs
      if (now - since <= most) return true
      server.emit('clientError', tooSlow(), incoming.socket)
      return false
    })
  }
  const timer = setInterval(look, Math.min(lookEveryMs, normalMs)).unref()
  server.once('close', () => clearInterval(timer))
  return (incoming) => {
    if (incoming.method !== 'GET') coming.push({ incoming, since: Date.now() })
  }
}

/** As Node says it. */
function tooSlow(): Error {
  return Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}
