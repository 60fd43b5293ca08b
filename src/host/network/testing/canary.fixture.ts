import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type NetworkBounds, openNetwork } from '../open-network.ts'

/** Called after the test. */
export function atEnd(close: () => unknown): void {
  onTestFinished(async () => void (await close()))
}

/** A server on every address of this machine. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<number> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A server that nothing may reach. */
export async function canary(): Promise<{ port: number; hits(): number }> {
  let hits = 0
  const port = await serve((_request, response) => {
    hits++
    response.end('inside')
  })
  return { port, hits: () => hits }
}

export function network(bounds: Partial<NetworkBounds> = {}) {
  const opened = openNetwork({ addresses: [], ports: [], ...bounds })
  atEnd(opened.close)
  return opened
}

/** A network on which this machine may be reached. */
export function openToMachine(bounds: Partial<NetworkBounds> = {}) {
  return network({ addresses: ['127.0.0.0/8', '::1'], ...bounds })
}
