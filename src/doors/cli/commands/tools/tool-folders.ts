import { resolve } from 'node:path'
import type { CommandContext } from '../../command.ts'

/** Folders from `--tools` and from plain words: `dev ./tools` and `dev --tools a b` both work. */
export function resolveFolders({ server, words, environment }: CommandContext): string[] {
  return [...server.tools, ...words.map((word) => resolve(environment.cwd, word))]
}
