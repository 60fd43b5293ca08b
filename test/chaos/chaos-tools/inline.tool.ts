import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool, z } from 'toolcrib'
import { openRun } from './journal.ts'

const inputSchema = z.object({
  operation: z.string(),
  beforeMs: z.int().min(0).max(60_000),
  afterMs: z.int().min(0).max(60_000),
})

export const look = defineTool({
  name: 'chaos.look',
  description: 'Answers after a while, changing nothing.',
  effect: 'read',
  inputSchema,
  async execute({ operation, beforeMs }, { signal }) {
    await sleep(beforeMs, undefined, { signal })
    return { operation }
  },
})

export const write = defineTool({
  name: 'chaos.write',
  description: 'Takes effect once after a while, and ignores being told to stop.',
  effect: 'write',
  inputSchema,
  async execute({ operation, beforeMs, afterMs }, { callId }) {
    const run = openRun({ callId, tool: 'chaos.write', operation })
    await sleep(beforeMs)
    run.takeEffect()
    await sleep(afterMs)
    run.end()
    return { operation, run: run.id }
  },
})

export const put = defineTool({
  name: 'chaos.put',
  description: 'Takes an effect that may be repeated.',
  effect: 'write',
  idempotent: true,
  retries: 2,
  inputSchema,
  async execute({ operation, beforeMs, afterMs }, { callId }) {
    const run = openRun({ callId, tool: 'chaos.put', operation })
    await sleep(beforeMs)
    run.takeEffect()
    await sleep(afterMs)
    run.end()
    return { operation, run: run.id }
  },
})

export const chain = defineTool({
  name: 'chaos.chain',
  description: 'Lets another tool take effect, and takes one of its own after it.',
  effect: 'write',
  inputSchema,
  async execute({ operation, beforeMs, afterMs }, { callId, call }) {
    const run = openRun({ callId, tool: 'chaos.chain', operation })
    await call('chaos.write', { operation: `${operation}/inner`, beforeMs, afterMs: 0 })
    run.takeEffect()
    await sleep(afterMs)
    run.end()
    return { operation, run: run.id }
  },
})

export const careful = defineTool({
  name: 'chaos.careful',
  description: 'Takes effect once, after a person said yes.',
  effect: 'write',
  approval: 'always',
  inputSchema,
  async execute({ operation, beforeMs, afterMs }, { callId }) {
    const run = openRun({ callId, tool: 'chaos.careful', operation })
    await sleep(beforeMs)
    run.takeEffect()
    await sleep(afterMs)
    run.end()
    return { operation, run: run.id }
  },
})
