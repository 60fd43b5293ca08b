import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { ToolError } from '../../../core/errors.ts'
import type { Command } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { starterFiles } from './starter-files.ts'

/** `toolcrib init`: a starter that runs; what is there already stays as it is. */
export const initCommand: Command = {
  summary: 'Write a small, commented starter into a folder.',
  usage: ['init [DIR]'],
  options: {},
  maxWords: 1,
  notes: ['Files that exist are never overwritten.'],
  async run({ environment, screen, words }) {
    const folder = resolve(environment.cwd, words[0] ?? '.')
    const written: string[] = []
    const kept: string[] = []
    for (const { path, text } of starterFiles) {
      const isNew = await writeIfMissing(join(folder, path), text)
      if (isNew) written.push(path)
      else kept.push(path)
    }
    if (screen.isJson) screen.json({ folder, written, kept })
    else showNextSteps(screen, { where: relative(environment.cwd, folder), written, kept })
    return exit.ok
  },
}

async function writeIfMissing(file: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(file), { recursive: true })
    // Opening exclusively is the check: two at once, or a file that appears meanwhile, lose nothing.
    await writeFile(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST') return false
    throw new ToolError(
      'invalid_request',
      `${file} could not be written (${code ?? String(error)}).`,
      {
        fix: 'Choose a folder that you may write to: toolcrib init DIR.',
        cause: error,
      },
    )
  }
}

function showNextSteps(
  screen: Screen,
  { where, written, kept }: { where: string; written: string[]; kept: string[] },
): void {
  for (const path of written) screen.out(`${screen.style('green', '+')} ${path}`)
  for (const path of kept) screen.out(screen.style('dim', `= ${path} was there and stays`))
  if (kept.includes('.gitignore'))
    screen.out('→ Add .toolcrib/ to your .gitignore: it holds records and keys.')
  screen.out('')
  screen.out(screen.style('bold', 'Next'))
  if (where !== '') screen.out(`  cd ${toSafeLine(where)}`)
  screen.out('  toolcrib dev                            runs the server, reloads as you edit')
  screen.out('  toolcrib call hello.greet --name Ada    uses the tool, in another terminal')
  screen.out('  toolcrib events                         shows what happened')
}
