import { parentPort } from 'node:worker_threads'
import { type ProgramEngine, openEngine } from './engine.ts'
import type { CodeOrder, CodeReport } from './messages.ts'

/** Runs in a thread, with one program at a time. */
export function startCodeWorker(): void {
  if (parentPort === null) throw new Error('startCodeWorker runs in a worker thread')
  const port = parentPort
  let engine: ProgramEngine | undefined
  async function report(order: CodeOrder): Promise<CodeReport | undefined> {
    if (order.kind === 'answer') return engine?.answer(order.answers)
    engine?.close()
    engine = undefined
    if (order.kind === 'close') return undefined
    engine = await openEngine(order.program, order.limits)
    return engine.start()
  }
  async function obey(order: CodeOrder): Promise<void> {
    const made = await report(order).catch(toFailure)
    if (made !== undefined) port.postMessage(made, [])
  }
  port.on('message', (order: CodeOrder) => void obey(order))
}

function toFailure(error: unknown): CodeReport {
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'failed', code: 'tool_failed', message }
}
