import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { AuthoredTool, ToolSourceView } from '../../../features/authoring/schemas.ts'
import type { HttpClient } from '../client/http-client.ts'
import type { CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'
import { toolPath } from './tool-source.ts'
import { writeDocument } from './write-document.ts'

/** Writes the documents in force, one file each, so that they can live in git. */
export async function exportTools(context: CommandContext): Promise<number> {
  const { screen, connect, options, environment } = context
  const [, ...names] = context.words
  const { client } = await connect()
  const folder = resolve(environment.cwd, options.text('to') ?? 'exported-tools')
  const wanted = names.length > 0 ? names : await listNames(client)
  const files: string[] = []
  await mkdir(folder, { recursive: true })
  for (const name of wanted) {
    const source = await client.read<ToolSourceView>(`${toolPath(name)}/source`)
    if (source.document === undefined) throw usageError(`${name} has no published document.`)
    const file = join(folder, `${source.name}.tool.yaml`)
    await writeFile(file, writeDocument(source.document))
    files.push(file)
  }
  if (screen.isJson) screen.json({ files })
  else if (files.length === 0) screen.out('There are no authored tools.')
  else for (const file of files) screen.out(toSafeLine(file))
  return exit.ok
}

async function listNames(client: HttpClient): Promise<string[]> {
  const items = await client.all<AuthoredTool>('/authored-tools', { limit: 1000 })
  return items.filter(({ kind }) => kind !== 'override').map(({ name }) => name)
}
