import { createInterface } from 'node:readline/promises'
import type { CliEnvironment } from '../environment.ts'
import { toSafeLine } from '../output/safe-text.ts'
import {
  createPasteFilter,
  pastedBreak,
  pasteModeOff,
  pasteModeOn,
  Veil,
} from './terminal-streams.ts'
import type { AskLine } from './ask-approvals.ts'

/** Prompts at a terminal. */
export interface Asking {
  /** The next line typed from now on: an answer must not have been typed before its question. */
  ask: AskLine
  /** A line typed before it was asked for, or the next one. */
  askNext: AskLine
  /**
   * Reports Ctrl-C while listening; otherwise Ctrl-C closes the prompt. Returns a function that
   * stops listening.
   */
  onInterrupt(listener: () => void): () => void
  close(): void
}

/** Lines typed at the terminal; undefined without a terminal. */
export function openAsking({
  stdin,
  stderr,
}: Pick<CliEnvironment, 'stdin' | 'stderr'>): Asking | undefined {
  if ((stdin as { isTTY?: boolean }).isTTY !== true) return undefined
  const output = new Veil(stderr)
  const input = output.isTTY ? createPasteFilter(stdin) : stdin
  const reader = createInterface({ input, output, terminal: output.isTTY })
  const setPasteMode = (mode: string) => void (output.isTTY && stderr.write(mode))
  setPasteMode(pasteModeOn)
  reader.once('close', () => setPasteMode(pasteModeOff))
  const gone = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)))
  const listeners = new Set<() => void>()
  // The reader holds the terminal, so Ctrl-C is a key to it and never becomes a signal.
  reader.on('SIGINT', () => {
    if (listeners.size === 0) reader.close()
    for (const listener of listeners) listener()
  })
  const early: string[] = []
  reader.on('line', (line) => early.push(line))
  // Text typed while nothing is asked is kept, and not shown in the middle of an answer.
  const ask: AskLine = async (question) => {
    output.isLifted = true
    const line = await Promise.race([reader.question(question).catch(() => undefined), gone])
    output.isLifted = false
    return line
  }
  return {
    ask,
    async askNext(question) {
      const line = early.shift()
      if (line === undefined) return withBreaks(await ask(question))
      stderr.write(`${question}${toSafeLine(line)}\n`)
      return withBreaks(line)
    },
    onInterrupt(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => reader.close(),
  }
}

function withBreaks<Line extends string | undefined>(line: Line): Line {
  return line?.replaceAll(pastedBreak, '\n') as Line
}
