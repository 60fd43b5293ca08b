import { type Crib, defineTool, z } from '../src/app/index.ts'

/** Nodes of one database share it. */
export const masterKey = Buffer.alloc(32, 7).toString('base64')

/** As many requests at once as a busy server has. */
const width = 64

/** Does nothing, so that what is measured is the way there and back; says when it began. */
export function backgroundTool(onRun: (askedAt: number) => void = () => undefined) {
  return defineTool({
    name: 'bench.background',
    description: 'Runs after its answer. Used to measure what queued work costs.',
    effect: 'write',
    execution: 'background',
    inputSchema: z.object({ askedAt: z.number().describe('When it was asked for') }),
    execute({ askedAt }) {
      onRun(askedAt)
      return { done: true }
    },
  })
}

/** Queues so many calls; they may still run when it resolves. */
export async function queueCalls(crib: Crib, count: number): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (left > 0) {
        left -= 1
        const { callId } = await crib.call('bench.background', { askedAt: performance.now() })
        if (callId === undefined) throw new Error('A call was refused')
      }
    }),
  )
}
