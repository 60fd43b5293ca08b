import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool, ToolError, z } from 'toolcrib'
import { openRun } from './journal.ts'

const inputSchema = z.object({
  operation: z.string(),
  beforeMs: z.int().min(0).max(60_000),
  afterMs: z.int().min(0).max(60_000),
})

export const job = defineTool({
  name: 'chaos.job',
  description: 'Takes effect once, after its answer, and ignores being told to stop.',
  effect: 'write',
  execution: 'background',
  inputSchema,
  async execute({ operation, beforeMs, afterMs }, { callId, progress }) {
    const run = openRun({ callId, tool: 'chaos.job', operation })
    progress({ done: 0, total: 2 })
    await sleep(beforeMs)
    run.takeEffect()
    progress({ done: 1, total: 2 })
    await sleep(afterMs)
    run.end()
    return { operation, run: run.id }
  },
})

export const sync = defineTool({
  name: 'chaos.sync',
  description: 'Takes an effect that may be repeated, after its answer.',
  effect: 'write',
  idempotent: true,
  execution: 'background',
  inputSchema,
  async execute({ operation, beforeMs, afterMs }, { callId }) {
    const run = openRun({ callId, tool: 'chaos.sync', operation })
    await sleep(beforeMs)
    run.takeEffect()
    await sleep(afterMs)
    run.end()
    return { operation, run: run.id }
  },
})

/** Calls that have failed once in this process. */
const failed = new Set<string>()

export const report = defineTool({
  name: 'chaos.report',
  description: 'Reads for a while after its answer; fails the first time where it is told to.',
  effect: 'read',
  execution: 'background',
  retries: 2,
  inputSchema: inputSchema.extend({ failsFirst: z.boolean() }),
  async *execute({ operation, beforeMs, failsFirst }, { callId, signal }) {
    const run = openRun({ callId, tool: 'chaos.report', operation })
    yield { operation, half: true }
    await sleep(beforeMs, undefined, { signal })
    if (failsFirst && !failed.has(callId)) {
      failed.add(callId)
      throw new ToolError('upstream_failed', 'Told to fail the first time', { retryable: true })
    }
    run.end()
    yield { operation, run: run.id }
  },
})
