import { createInterface } from 'node:readline/promises'
import type { CommandContext } from './command.ts'
import { usageError } from './parse-options.ts'

/** Asks before a change that cannot be undone. Without a terminal, `--yes` is required. */
export async function confirm(context: CommandContext, question: string): Promise<boolean> {
  const { environment, options } = context
  if (options.flag('yes')) return true
  if (!isAsking(context)) {
    throw usageError('This needs a terminal to ask.', 'Add --yes to continue without being asked.')
  }
  const reader = createInterface({ input: environment.stdin, output: environment.stderr })
  try {
    const answer = await reader.question(`${question} [y/N] `)
    return /^\s*y(es)?\s*$/i.test(answer)
  } finally {
    reader.close()
  }
}

/** Is stdin a terminal? */
export function isAsking({ environment }: CommandContext): boolean {
  return (environment.stdin as { isTTY?: boolean }).isTTY === true
}
