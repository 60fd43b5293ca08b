import { appendFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'

/** Where the tools write down what really happened, whatever the record says. */
const file = process.env['CHAOS_JOURNAL'] ?? ''

export interface JournalEntry {
  callId: string
  tool: string
  operation: string
}

/**
 * One run of a tool's function. A line is one write to a file opened for appending, so lines of many
 * processes do not mix and one that was written survives its writer.
 */
export function openRun(entry: JournalEntry): {
  id: string
  takeEffect(): void
  /** The tool is about to return. */
  end(): void
} {
  const run = randomUUID()
  const write = (what: 'begin' | 'effect' | 'end') => {
    appendFileSync(file, `${JSON.stringify({ what, ...entry, run, pid: process.pid })}\n`)
  }
  write('begin')
  return { id: run, takeEffect: () => write('effect'), end: () => write('end') }
}
