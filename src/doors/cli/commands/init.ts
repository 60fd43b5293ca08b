import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { ToolError } from '../../../core/kernel/errors.ts'
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
    for (const { path, text } of starterFiles({
      name: basename(folder),
      version: environment.version,
    })) {
      const isNew = await writeIfMissing(join(folder, path), text)
      if (isNew) written.push(path)
      else kept.push(path)
    }
    if (screen.isJson) screen.json({ folder, written, kept })
    else {
      const where = relative(environment.cwd, folder)
      const mustIgnore = kept.includes('.gitignore') && !(await ignoresData(folder))
      showNextSteps(screen, { where, written, kept, mustIgnore })
    }
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

/** Does a .gitignore that was there keep records and keys out already? */
async function ignoresData(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => '')
  return text.split(/\r?\n/).some((line) => /^\/?\.toolcrib\/?\s*$/.test(line))
}

interface Outcome {
  where: string
  written: readonly string[]
  kept: readonly string[]
  mustIgnore: boolean
}

function showNextSteps(screen: Screen, { where, written, kept, mustIgnore }: Outcome): void {
  for (const path of written) screen.out(`${screen.style('green', '+')} ${path}`)
  for (const path of kept) screen.out(screen.style('dim', `= ${path} was there and stays`))
  if (mustIgnore) screen.out('→ Add .toolcrib/ to your .gitignore: it holds records and keys.')
  screen.out('')
  screen.out(screen.style('bold', 'Next'))
  if (where !== '') screen.out(`  cd ${toSafeLine(where)}`)
  const install = kept.includes('package.json') ? 'npm install toolcrib' : 'npm install'
  const steps = [
    [install, 'installs toolcrib and its types'],
    ['npx toolcrib dev', 'runs the server, reloads as you edit'],
    ['npx toolcrib call hello.greet --name Ada', 'calls the tool, in another terminal'],
    ['npm test', 'runs the tests'],
  ] as const
  for (const [command, meaning] of steps) screen.out(`  ${command.padEnd(42)}${meaning}`)
}
