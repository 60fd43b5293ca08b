import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Stands between a server and its database and fails on command. */
export interface FaultProxy {
  port: number
  /** Resets every connection and every further one, until `restore`. */
  cut(): void
  restore(): void
  /** Holds bytes back in both directions, those of later connections too; nothing is lost or closed. */
  freeze(): void
  thaw(): void
  /** Resets what is connected now; further connections are let through. */
  resetAll(): void
  close(): Promise<void>
}

export interface FaultProxyOptions {
  target: { host: string; port: number }
}

/** Listens on a free port of this machine and forwards to the target. */
export async function createFaultProxy({ target }: FaultProxyOptions): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  const state = { isCut: false, isFrozen: false }
  const server = createServer({ allowHalfOpen: true }, (inner) => {
    // The port stays ours while cut: given back, the system could hand it to somebody else.
    if (state.isCut) {
      inner.on('error', () => {})
      inner.resetAndDestroy()
      return
    }
    const outer = connect({ ...target, allowHalfOpen: true })
    join(inner, outer, sockets)
    if (state.isFrozen) for (const socket of [inner, outer]) hold(socket)
  })
  const each = (act: (socket: Socket) => void) => [...sockets].forEach(act)
  const resetAll = () => each((socket) => socket.resetAndDestroy())
  return {
    port: await listen(server),
    cut() {
      state.isCut = true
      resetAll()
    },
    restore() {
      state.isCut = false
    },
    freeze() {
      state.isFrozen = true
      each(hold)
    },
    thaw() {
      state.isFrozen = false
      each(release)
    },
    resetAll,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      each((socket) => socket.destroy())
      await closed
    },
  }
}

/** What one side says, the other hears, the way it ends included. */
function join(inner: Socket, outer: Socket, sockets: Set<Socket>): void {
  const pairs: [Socket, Socket][] = [
    [inner, outer],
    [outer, inner],
  ]
  for (const [from, to] of pairs) {
    sockets.add(from)
    from.setNoDelay(true)
    from.pipe(to)
    from.on('error', () => to.resetAndDestroy())
    from.on('close', () => {
      sockets.delete(from)
      // After a clean end this is a no-op; after a reset there is nobody left to read.
      if (!from.readableEnded) to.resetAndDestroy()
    })
  }
}

/** Corked, it sends nothing of what it is given; paused, it takes nothing more in. */
function hold(socket: Socket): void {
  socket.cork()
  socket.pause()
}

function release(socket: Socket): void {
  // Twice frozen is still frozen once.
  while (socket.writableCorked > 0) socket.uncork()
  socket.resume()
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
