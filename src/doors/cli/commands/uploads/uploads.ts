import { openAsFile, uploadFile } from '../../call/upload-file.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import type { ByHand } from '../../operations/to-command.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { usageError } from '../../parse-options.ts'

/** The verb of `toolcrib uploads` that reads a file. */
export const uploadsByHand: ByHand = {
  actions: { add: { usage: ['uploads add <file>'], run: add } },
}

async function add({ connect, environment, screen, words }: CommandContext): Promise<number> {
  const [, name] = words
  if (name === undefined) {
    throw usageError('The file is missing.', 'Write toolcrib uploads add <file>')
  }
  const file = await openAsFile(name, environment, { what: 'uploads add', fix: 'Check its path.' })
  const { client } = await connect()
  const made = await uploadFile(client, file)
  if (screen.isJson) screen.json(made)
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(made.uri)}`)
  return exit.ok
}
