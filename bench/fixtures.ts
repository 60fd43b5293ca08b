import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import {
  createCrib,
  defineTool,
  type Crib,
  type CribOptions,
  type Effect,
  z,
} from '../src/app/index.ts'

/** What is computed is next to nothing, so that what is measured is the way to it. */
export function addNumbers({ a, b, label }: { a: number; b: number; label: string | null }) {
  return { sum: a + b, label: label ?? 'none' }
}

export const sampleInput = { a: 20, b: 22, label: 'bench' }

/** The same small function as a tool. */
export function benchTool(name: string, effect: Effect = 'read') {
  return defineTool({
    name,
    title: 'Add',
    description: 'Adds two numbers. Used to measure what a call costs beside its work.',
    effect,
    inputSchema: z.object({
      a: z.number().describe('First number'),
      b: z.number().describe('Second number'),
      label: z.string().nullable().describe('A word to hand back'),
    }),
    outputSchema: z.object({ sum: z.number(), label: z.string() }),
    execute: async (input) => addNumbers(input),
  })
}

/** A crib on a store in a temporary folder, or in a new database of the given server. */
export async function withCrib<T>(
  { database, ...options }: CribOptions,
  work: (crib: Crib, data: string) => Promise<T>,
): Promise<T> {
  const data = await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-'))
  // The user of a sandbox passes through it.
  await chmod(data, 0o711)
  const own = database && { database: await createDatabase(database) }
  const crib = await createCrib({ config: {}, data, ...options, ...own })
  try {
    return await work(crib, data)
  } finally {
    await crib.close()
    await rm(data, { recursive: true, force: true })
  }
}

/** An empty database on the server; the server is thrown away as a whole. */
export async function createDatabase(serverUrl: string): Promise<string> {
  const name = `bench_${crypto.randomUUID().replaceAll('-', '')}`
  const client = new pg.Client(serverUrl)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
