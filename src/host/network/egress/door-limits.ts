import type { Socket } from 'node:net'
import type { Server } from 'node:http'

/** Limits of one door. A sandbox must not hold the server's sockets or traffic without end. */
export interface DoorLimits {
  connections: number
  /** How long a connection may be silent. */
  idleMs: number
  /** How long one connection may last. */
  totalMs: number
  /** Both directions of all connections together. */
  maxBytes: number
}

export const usualDoorLimits: DoorLimits = {
  connections: 128,
  idleMs: 120_000,
  totalMs: 3_600_000,
  maxBytes: 8 * 1024 ** 3,
}

const lookEveryMs = 1000

/** Ends connections of a door that exceed its limits. Returns a function that ends all of them. */
export function limitConnections(server: Server, limits: DoorLimits): () => void {
  const open = new Map<Socket, number>()
  let closedBytes = 0
  server.maxConnections = limits.connections
  server.on('connection', (socket: Socket) => {
    open.set(socket, performance.now())
    // After CONNECT the server no longer looks after the socket.
    socket.setTimeout(limits.idleMs, () => socket.destroy())
    socket.once('close', () => {
      open.delete(socket)
      closedBytes += bytesOf(socket)
    })
  })
  const timer = setInterval(() => {
    const now = performance.now()
    let bytes = closedBytes
    for (const [socket, since] of open) {
      bytes += bytesOf(socket)
      if (now - since > limits.totalMs) socket.destroy()
    }
    if (bytes > limits.maxBytes) for (const socket of open.keys()) socket.destroy()
  }, lookEveryMs).unref()
  return () => {
    clearInterval(timer)
    for (const socket of open.keys()) socket.destroy()
  }
}

function bytesOf(socket: Socket): number {
  return socket.bytesRead + socket.bytesWritten
}
