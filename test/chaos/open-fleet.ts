import path from 'node:path'
import { startServerProcess } from '../setup/server-process.ts'
import type { Fleet } from './faults.ts'
import { startGroupProcess } from './groups/start-group-process.ts'
import { type ChaosNode, createChaosNode, type NodeProcess } from './node-processes.ts'
import { openPostgresInstance } from './postgres-instance.ts'
import { slowCommits } from './slow-commits.ts'

export interface FleetOptions {
  folder: string
  /** How many servers. */
  servers: number
  /** How many processes use the library on the same database, and make groups there. */
  libraries: number
  tools: string
  env: Record<string, string>
  seed: number
  /** Where library nodes write down what became of groups, and what stops them from making more. */
  groups: { journal: string; stop: string }
}

type Launch = (name: string, database: string) => Promise<NodeProcess>

/** A PostgreSQL, nodes on it, and a key that opens all of them. The last server's clock jumps. */
export async function openFleet(
  options: FleetOptions,
): Promise<Fleet & { key: string; close(): Promise<void> }> {
  const postgres = await openPostgresInstance()
  const { folder } = options
  const create = (name: string, launch: Launch): Promise<ChaosNode> =>
    createChaosNode({
      name,
      folder,
      database: postgres.url,
      launch: (database) => launch(name, database),
    })
  const servers = Array.from({ length: options.servers }, (_, place) =>
    create(`node${place + 1}`, serverLaunch(options, place === options.servers - 1)),
  )
  const libraries = Array.from({ length: options.libraries }, (_, place) =>
    create(`library${place + 1}`, libraryLaunch(options, place)),
  )
  const nodes = await Promise.all([...servers, ...libraries])
  const close = async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await postgres.close()
  }
  try {
    await Promise.all(nodes.map((node) => node.whenUp()))
    await slowCommits(postgres)
    const [first] = nodes
    if (first === undefined) throw new Error('A fleet has at least one node')
    return { postgres, nodes, key: await first.createKey(), close }
  } catch (error) {
    await close()
    throw error
  }
}

function serverLaunch({ folder, tools, env }: FleetOptions, hasSteppedClock: boolean): Launch {
  const clock = `--import=${new URL('step-clock.ts', import.meta.url).href}`
  return (name, database) =>
    startServerProcess({
      cwd: folder,
      data: path.join(folder, name),
      args: ['--tools', tools, '--database', database],
      env: hasSteppedClock ? { ...env, NODE_OPTIONS: clock } : env,
    })
}

function libraryLaunch({ folder, tools, env, groups, seed }: FleetOptions, place: number): Launch {
  return (name, database) => {
    const given = { data: path.join(folder, name), database, tools, ...groups, seed: seed + place }
    const args = Object.entries(given).map(([option, value]) => `--${option}=${value}`)
    return startGroupProcess({ cwd: folder, args, env })
  }
}
