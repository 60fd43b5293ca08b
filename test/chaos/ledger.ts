import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import type { Answer } from './evidence.ts'

/** Every request of every client, with what was answered: what the record is held against. */
export interface Ledger {
  readonly answers: readonly Answer[]
  enter(answer: Omit<Answer, 'atMs'>): void
  close(): Promise<void>
}

/** Kept in memory, and in a file for whoever has to find out what went wrong. */
export function createLedger(file: string): Ledger {
  const answers: Answer[] = []
  const stream = createWriteStream(file)
  const startedAt = performance.now()
  return {
    answers,
    enter(entry) {
      const answer = { atMs: Math.round(performance.now() - startedAt), ...entry }
      answers.push(answer)
      stream.write(`${JSON.stringify(answer)}\n`)
    },
    async close() {
      stream.end()
      await once(stream, 'close')
    },
  }
}
