import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { ToolError } from '../../../../core/kernel/errors.ts'
import type { OfferedTool } from '../../../../core/offer/tool-offer.ts'
import { printToolTypes, type TypedContract } from '../../../../core/schema/print-tool-types.ts'
import type { Command, CommandContext } from '../../command.ts'
import type { ToolTypes } from '../../environment.ts'
import { exit } from '../../exit-codes.ts'
import { counted } from '../../output/counted.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { writeIfChanged } from '../../write-if-changed.ts'
import { resolveFolders } from './tool-folders.ts'

/** The file that the compiler finds beside the configuration. */
export const typesFileName = 'toolcrib.d.ts'

/** `toolcrib types`: names, inputs and outputs of the tools, for the TypeScript compiler. */
export const typesCommand: Command = {
  summary: 'Write the types of all tools, so that calls by name are checked.',
  usage: ['types [DIR…] [--out FILE] [--check]', 'types --from-server [--out FILE] [--check]'],
  options: {
    out: { type: 'string', value: 'FILE', summary: `where to (${typesFileName})` },
    'from-server': {
      type: 'boolean',
      summary: 'use the tools of a server, named with --url, instead of loading files',
    },
    check: { type: 'boolean', summary: 'write nothing; exit with 1 if the file is out of date' },
  },
  maxWords: Infinity,
  notes: ['toolcrib dev updates the file if it exists, or if there is a tsconfig.json.'],
  examples: ['toolcrib types', 'toolcrib types --from-server --url https://crib.example.com'],
  async run(context) {
    const { environment, screen, options } = context
    const found = options.flag('from-server') ? await askServer(context) : await loadFiles(context)
    const file = resolve(
      environment.cwd,
      options.text('out') ?? resolve(found.folder, typesFileName),
    )
    const text = printToolTypes(found.contracts)
    const isOld = options.flag('check')
      ? (await readFile(file, 'utf8').catch(() => undefined)) !== text
      : await writeIfChanged(file, text)
    const report = { file, tools: found.contracts.length, changed: isOld }
    if (screen.isJson) screen.json(report)
    else showReport(context, report)
    return options.flag('check') && isOld ? exit.failed : exit.ok
  },
}

async function loadFiles(context: CommandContext): Promise<ToolTypes> {
  const { environment, server } = context
  return environment.toolTypes({ ...server, tools: resolveFolders(context) })
}

async function askServer({ connect, environment }: CommandContext): Promise<ToolTypes> {
  const { client } = await connect()
  const contracts = await client.all<OfferedTool & TypedContract>('/offer', { limit: 1000 })
  return { folder: environment.cwd, contracts }
}

function showReport(
  { environment, screen, options }: CommandContext,
  { file, tools, changed }: { file: string; tools: number; changed: boolean },
): void {
  const name = toSafeLine(relative(environment.cwd, file) || file)
  const what = `${name}: ${counted(tools, 'tool')}`
  if (options.flag('check') && changed) {
    screen.out(`${screen.style('red', '✗')} ${name} is out of date`)
    screen.out('→ Run toolcrib types.')
  } else screen.out(`${screen.style('green', '✓')} ${what}${changed ? '' : ', unchanged'}`)
}

/** The reason why no types are written: nothing is known about a file that cannot be loaded. */
export function notLoaded(files: readonly { file: string; message: string }[]): ToolError {
  const problems = files.map(({ file, message }) => `${file}: ${message}`).join('; ')
  return new ToolError('invalid_tool', `Not all tools could be loaded: ${problems}`, {
    fix: 'Fix these files first; toolcrib check shows every problem.',
  })
}
