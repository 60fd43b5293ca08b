import {
  Agent,
  createServer,
  get,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** A reverse proxy as the deploy files set one up. */
export interface ReadyProxy {
  url: string
  /** Which targets it sends to now. */
  ready(): readonly string[]
  /** How many requests each target was sent. */
  sent(): Readonly<Record<string, number>>
  close(): Promise<void>
}

const pollEveryMs = 100

/**
 * Sends each request to the next target whose /readyz answered 200 at the last look, over
 * connections that it keeps. It repeats nothing: what a target fails to answer is a 502 for the client.
 */
export async function createReadyProxy(targets: readonly string[]): Promise<ReadyProxy> {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<string>()
  const sent: Record<string, number> = Object.fromEntries(targets.map((target) => [target, 0]))
  const look = async (target: string) => {
    if (await isReady(target)) ready.add(target)
    else ready.delete(target)
  }
  await Promise.all(targets.map(look))
  const timer = setInterval(() => targets.forEach((target) => void look(target)), pollEveryMs)
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const candidates = targets.filter((target) => ready.has(target))
    const target = candidates[turn++ % candidates.length]
    if (target === undefined) return void outgoing.writeHead(503).end('no target is ready')
    sent[target] = (sent[target] ?? 0) + 1
    forward(incoming, outgoing, { target, agent })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => [...ready],
    sent: () => ({ ...sent }),
    async close() {
      clearInterval(timer)
      agent.destroy()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Each look on a connection of its own, as probes do. */
function isReady(target: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = get(`${target}/readyz`, { agent: false, timeout: 5_000 }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => resolve(false))
  })
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, agent }: { target: string; agent: Agent },
): void {
  const { method, url, headers } = incoming
  const { connection: _, ...kept } = headers
  const onward = request(`${target}${url ?? '/'}`, { method, headers: kept, agent }, (answer) => {
    const { connection: _, 'keep-alive': __, ...answered } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, answered)
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
  })
  onward.on('error', (error) => {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502).end(`${target} did not answer: ${error.message}`)
  })
  outgoing.on('close', () => onward.destroy())
  incoming.pipe(onward)
}
