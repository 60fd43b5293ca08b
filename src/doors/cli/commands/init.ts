import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Command } from '../command.ts'
import type { Checkout, CliEnvironment } from '../environment.ts'
import { exit } from '../exit-codes.ts'
import { quoteWord } from '../output/quote-word.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { starterFiles } from './starter-files.ts'

/** `toolcrib init`: writes a starter that runs; existing files are kept. */
export const initCommand: Command = {
  summary: 'Write a small, commented starter into a folder.',
  usage: ['init [DIR]'],
  options: {},
  maxWords: 1,
  notes: ['Files that exist are never overwritten.'],
  async run({ environment, screen, words }) {
    const folder = resolve(environment.cwd, words[0] ?? '.')
    await change(folder, () => mkdir(folder, { recursive: true }))
    const toolcrib = await findPackage(folder, environment)
    const written: string[] = []
    const kept: string[] = []
    for (const { path, text } of starterFiles({ name: basename(folder), toolcrib })) {
      const isNew = await writeIfMissing(join(folder, path), text)
      if (isNew) written.push(path)
      else kept.push(path)
    }
    if (screen.isJson) screen.json({ folder, written, kept })
    else {
      const where = relative(environment.cwd, folder)
      const mustIgnore = kept.includes('.gitignore') && !(await ignoresData(folder))
      const { checkout } = environment
      showNextSteps(screen, { where, written, kept, mustIgnore, toolcrib, checkout })
    }
    return exit.ok
  },
}

/** The dependency for package.json: the published version, or the checkout this runs from. */
async function findPackage(folder: string, environment: CliEnvironment): Promise<string> {
  if (environment.checkout === undefined) return `^${environment.version}`
  // npm resolves the path from the real folder, even when a link leads there.
  const path = relative(await realpath(folder), await realpath(environment.checkout.folder))
  return `file:${path.split(sep).join('/')}`
}

async function writeIfMissing(file: string, text: string): Promise<boolean> {
  return change(file, async () => {
    await mkdir(dirname(file), { recursive: true })
    // Exclusive creation is the check: with two at once, or a file that appears in between, nothing
    // is lost.
    await writeFile(file, text, { flag: 'wx' })
  })
}

/** False if it exists already. */
async function change(path: string, write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST') return false
    throw new ToolError(
      'invalid_request',
      `${path} could not be written (${code ?? String(error)}).`,
      {
        fix: 'Choose a writable folder: toolcrib init DIR.',
        cause: error,
      },
    )
  }
}

/** Does an existing .gitignore exclude records and keys already? */
async function ignoresData(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => '')
  return text.split(/\r?\n/).some((line) => /^\/?\.toolcrib\/?\s*$/.test(line))
}

interface Outcome {
  where: string
  written: readonly string[]
  kept: readonly string[]
  mustIgnore: boolean
  toolcrib: string
  checkout: Checkout | undefined
}

function showNextSteps(screen: Screen, outcome: Outcome): void {
  const { where, written, kept, mustIgnore } = outcome
  for (const path of written) screen.out(`${screen.style('green', '+')} ${path}`)
  for (const path of kept) screen.out(screen.style('dim', `= ${path} was there and stays`))
  if (mustIgnore) screen.out('→ Add .toolcrib/ to your .gitignore: it holds records and keys.')
  screen.out('')
  screen.out(screen.style('bold', 'Next'))
  if (where !== '') screen.out(`  cd ${quoteWord(toSafeLine(where))}`)
  const steps = [
    ...installSteps(outcome),
    ['npx toolcrib dev', 'runs the server, reloads as you edit'],
    ['npx toolcrib call hello.greet --name Ada', 'calls the tool, in another terminal'],
    ['npm test', 'runs the tests'],
  ] as const
  const width = Math.max(...steps.map(([command]) => command.length)) + 2
  for (const [command, meaning] of steps) screen.out(`  ${command.padEnd(width)}${meaning}`)
}

function installSteps({ kept, toolcrib, checkout }: Outcome) {
  const path = quoteWord(toSafeLine(toolcrib.replace('file:', '')))
  const named = checkout === undefined ? 'toolcrib' : path
  const install = kept.includes('package.json') ? `npm install ${named}` : 'npm install'
  const installs = [install, 'installs toolcrib and its types'] as const
  if (checkout?.isBuilt !== false) return [installs]
  return [[`npm --prefix ${path} run build`, 'builds the package once'] as const, installs]
}
