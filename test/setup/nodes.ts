import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ConfigInput } from '../../src/core/typing/config-input.ts'
import { createTempDatabase, type TempDatabase } from '../../src/store/contract/temp-store.ts'
import { createFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** Real servers that share one database, which they reach through a proxy that can fail. */
export interface Nodes {
  folder: string
  /** Where tools of `fixtures/crash-tools` write what they did. */
  effects: string
  faults: FaultProxy
  /** The database itself, to look into. */
  database: string
  /** Starts one; a name used again is the same node again. */
  start(name: string, port?: number, env?: Record<string, string>): Promise<ServerProcess>
  /** SIGTERM; gives the exit code. */
  stop(node: ServerProcess): Promise<number | null>
  close(): Promise<void>
}

const tools = path.join(import.meta.dirname, '../fixtures/crash-tools')

/** A fresh database and folder. Nothing is started yet. */
export async function createNodes(
  config: ConfigInput = {},
  createDatabase: () => Promise<TempDatabase> = createTempDatabase,
): Promise<Nodes> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib nodes '))
  await writeFile(path.join(folder, 'toolcrib.config.json'), JSON.stringify(config))
  const database = await createDatabase()
  const url = new URL(database.url)
  const target = { host: url.hostname, port: Number(url.port) }
  const faults = await createFaultProxy({ target })
  url.host = `127.0.0.1:${faults.port}`
  const effects = path.join(folder, 'effects')
  const running = new Set<ServerProcess>()
  return {
    folder,
    effects,
    faults,
    database: database.url,
    async start(name, port = 0, env = {}) {
      const node = await startServerProcess({
        cwd: folder,
        data: path.join(folder, name),
        args: ['--port', String(port), '--tools', tools, '--database', url.href],
        env: { CRASH_EFFECTS: effects, TOOLCRIB_MASTER_KEY: 'k1:'.padEnd(46, 'A'), ...env },
      })
      running.add(node)
      return node
    },
    stop(node) {
      running.delete(node)
      return node.stop()
    },
    async close() {
      for (const node of running) await node.kill().catch(() => undefined)
      await faults.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
