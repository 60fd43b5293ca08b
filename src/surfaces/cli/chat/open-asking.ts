import { createInterface } from 'node:readline/promises'
import type { CliEnvironment } from '../environment.ts'
import type { AskLine } from './ask-approvals.ts'

/** Somebody at a terminal. */
export interface Asking {
  ask: AskLine
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
  return {
    ask: (question) => Promise.race([reader.question(question).catch(() => undefined), gone]),
    onInterrupt(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => reader.close(),
  }
}
