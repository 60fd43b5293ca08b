import type { Fleet } from './faults.ts'
import { createChaosNode } from './node-processes.ts'
import { openPostgresInstance } from './postgres-instance.ts'
import { slowCommits } from './slow-commits.ts'

export interface FleetOptions {
  folder: string
  nodes: number
  tools: string
  env: Record<string, string>
}

/** A PostgreSQL, nodes on it, and a key that opens all of them. The last node's clock jumps. */
export async function openFleet(
  options: FleetOptions,
): Promise<Fleet & { key: string; close(): Promise<void> }> {
  const postgres = await openPostgresInstance()
  const nodes = await Promise.all(
    Array.from({ length: options.nodes }, (_, place) =>
      createChaosNode({
        ...options,
        name: `node${place + 1}`,
        database: postgres.url,
        hasSteppedClock: place === options.nodes - 1,
      }),
    ),
  )
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
