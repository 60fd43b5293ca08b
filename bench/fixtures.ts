import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createCrib, defineTool, type Crib, type CribOptions, type Effect, z } from '../src/app/index.ts'

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

/** A crib on a store in a temporary folder, or on the given database. */
export async function withCrib<T>(options: CribOptions, work: (crib: Crib) => Promise<T>): Promise<T> {
  const data = await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-'))
  const crib = await createCrib({ config: {}, data, ...options })
  try {
    return await work(crib)
  } finally {
    await crib.close()
    await rm(data, { recursive: true, force: true })
  }
}
