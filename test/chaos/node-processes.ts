import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFaultProxy, type FaultProxy } from '../setup/fault-proxy.ts'
import type { ServerProcess } from '../setup/server-process.ts'

/** What a node is while it runs: a server, or a process that uses the library and answers nobody. */
export type NodeProcess = Pick<ServerProcess, 'pid' | 'exited' | 'errors' | 'kill' | 'stop'> &
  Partial<Pick<ServerProcess, 'url' | 'request'>>

/** One node of the fleet: a real process that is started again whenever it ends, behind its own way to the database. */
export interface ChaosNode {
  name: string
  /** Its way to the database. */
  proxy: FaultProxy
  /** Where it answers, or did before it was paused; undefined while it is down, or if it answers nobody. */
  url(): string | undefined
  /** SIGKILL, and a new process after a moment. */
  kill(downMs: number): Promise<void>
  /** SIGTERM: it drains and ends, then a new one starts. */
  drain(): Promise<void>
  /** SIGSTOP: everything stands still, connections included, until `resume`. */
  pause(): void
  resume(): void
  /** Resolves when it answers. */
  whenUp(): Promise<void>
  /** A key that every node on the same database takes; its own owner's key is known to it alone. */
  createKey(): Promise<string>
  /** What no fault excuses: that it ended by itself, or met an error that no part of it expected. */
  troubles(): string[]
  close(): Promise<void>
}

export interface ChaosNodeOptions {
  name: string
  /** The run's folder: configuration, data of the nodes, logs. */
  folder: string
  database: URL
  /** Starts a process of it that reaches the database at this address. */
  launch(database: string): Promise<NodeProcess>
}

const startAgainMs = 250
const longestStopMs = 30_000

/** Starts one and keeps it alive: while the database is away a start fails, and is tried again. */
export async function createChaosNode(options: ChaosNodeOptions): Promise<ChaosNode> {
  const { name, database } = options
  const proxy = await createFaultProxy({
    target: { host: database.hostname, port: Number(database.port) },
  })
  let server: NodeProcess | undefined
  const troubles: string[] = []
  const life = new AbortController()
  let starting = start()

  async function start(): Promise<void> {
    while (!life.signal.aborted) {
      try {
        server = await options.launch(throughProxy(database, proxy.port))
        watch(server)
        return
      } catch (error) {
        await note(options, `could not start: ${String(error)}`)
        await sleep(startAgainMs)
      }
    }
  }

  /** Who ends while nobody takes it down has crashed; it comes up again all the same. */
  function watch(current: NodeProcess): void {
    const seeEnd = async () => {
      const code = await current.exited
      if (server !== current || life.signal.aborted) return
      troubles.push(`ended by itself with ${code}`)
      await note(options, `ended by itself with ${code}`)
      await takeDown(async () => {}, 0)
    }
    void seeEnd()
  }

  /** What is down comes up again; two who take it down at once start it once. */
  async function takeDown(end: (current: NodeProcess) => Promise<unknown>, downMs: number) {
    await starting
    const current = server
    if (current === undefined) return
    server = undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    starting = promise
    await end(current)
    troubles.push(...findStrays(current.errors()))
    await note(options, current.errors())
    await sleep(downMs)
    await start()
    resolve()
  }

  const signal = (word: 'SIGSTOP' | 'SIGCONT') => {
    try {
      if (server !== undefined) process.kill(server.pid, word)
    } catch {
      // It has just ended: there is nothing to hold.
    }
  }
  return {
    name,
    proxy,
    url: () => server?.url,
    kill: (downMs) => takeDown((current) => current.kill(), downMs),
    drain: () => takeDown((current) => stopInTime(current, options), 0),
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    whenUp: () => starting,
    async createKey() {
      const json = { name: 'chaos', scopes: ['*'] }
      if (server?.request === undefined) throw new Error(`${name} does not answer`)
      const response = await server.request('/api/v1/keys', { json })
      return ((await response.json()) as { token: string }).token
    },
    troubles: () => [...troubles, ...findStrays(server?.errors() ?? '')],
    async close() {
      life.abort()
      await starting
      await server?.kill().catch(() => undefined)
      await note(options, server?.errors() ?? '')
      await proxy.close()
    },
  }
}

/** A stop that does not end is a fault of ours, which the log of the run shows; the run goes on. */
async function stopInTime(server: NodeProcess, options: ChaosNodeOptions): Promise<void> {
  const late = new AbortController()
  const timer = sleep(longestStopMs, 'late' as const, { signal: late.signal }).catch(
    () => undefined,
  )
  const end = await Promise.race([server.stop(), timer])
  late.abort()
  if (end !== 'late') return
  await note(options, `did not stop within ${longestStopMs} ms`)
  await server.kill()
}

/** A server goes on after these, and says so; a program that uses the library would have ended. */
function findStrays(printed: string): string[] {
  return printed
    .split('\n')
    .filter((line) => /outside of every call|promise that nobody awaits/.test(line))
}

function throughProxy(database: URL, port: number): string {
  const url = new URL(database)
  url.port = String(port)
  return url.href
}

async function note({ folder, name }: ChaosNodeOptions, text: string): Promise<void> {
  if (text !== '') await appendFile(path.join(folder, `${name}.log`), `${text.trimEnd()}\n---\n`)
}
