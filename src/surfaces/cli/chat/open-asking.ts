import { createInterface } from 'node:readline/promises'
import type { CliEnvironment } from '../environment.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { AskLine } from './ask-approvals.ts'

/** Somebody at a terminal. */
export interface Asking {
  /** The next line that is typed from now on: an answer to something must not have been typed before it. */
  ask: AskLine
  /** What was typed meanwhile, or the next line. */
  askNext: AskLine
  /** Tells of Ctrl-C while it listens; otherwise Ctrl-C ends the asking. Returns the way to stop. */
  onInterrupt(listener: () => void): () => void
  close(): void
}

/** Lines of whoever sits at the other end; undefined where nobody does. */
export function openAsking({
  stdin,
  stderr,
}: Pick<CliEnvironment, 'stdin' | 'stderr'>): Asking | undefined {
  if ((stdin as { isTTY?: boolean }).isTTY !== true) return undefined
  const reader = createInterface({ input: stdin, output: stderr })
  const gone = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)))
  const listeners = new Set<() => void>()
  // The reader holds the terminal, so Ctrl-C is a key to it and never becomes a signal.
  reader.on('SIGINT', () => {
    if (listeners.size === 0) reader.close()
    for (const listener of listeners) listener()
  })
  const early: string[] = []
  reader.on('line', (line) => early.push(line))
  const ask: AskLine = (question) =>
    Promise.race([reader.question(question).catch(() => undefined), gone])
  return {
    ask,
    async askNext(question) {
      const line = early.shift()
      if (line === undefined) return ask(question)
      stderr.write(`${question}${toSafeLine(line)}\n`)
      return line
    },
    onInterrupt(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => reader.close(),
  }
}
