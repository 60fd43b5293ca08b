import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parse, stringify } from 'yaml'
import { ToolError } from '../../../../core/kernel/errors.ts'
import { canonicalJson } from '../../../../core/kernel/json/canonical-json.ts'
import type { JsonValue } from '../../../../core/kernel/json.ts'
import type {
  AuthoredTool,
  PublishedAnswer,
  ToolSourceView,
  ToolVersionView,
} from '../../../../features/authoring/schemas.ts'
import type { HttpClient } from '../../client/http-client.ts'
import type { Command, CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { showTable } from '../../output/table.ts'
import { usageError } from '../../parse-options.ts'

/** `toolcrib tools publish`, and the other actions on tools that are documents. */
export const documentActions: Readonly<Record<string, Command['run']>> = {
  publish: (context) => bringIn(context, { isApplied: true }),
  import: (context) => bringIn(context, { isApplied: context.options.flag('apply') }),
  export: exportTools,
  versions: listVersions,
  restore: restoreVersion,
}

/** Longer than any document that a server takes. */
const maxFileBytes = 1_048_576

type Change = 'new' | 'changed' | 'same'

interface Planned {
  name: string
  file: string
  change: Change
  document: JsonValue
}

/** Shows what files would change, then publishes them, one after the other. */
async function bringIn(context: CommandContext, { isApplied }: { isApplied: boolean }) {
  const { screen, connect, options } = context
  const [, ...paths] = context.words
  if (paths.length === 0) throw usageError('Name the files to publish: refund.tool.yaml')
  const files = (await Promise.all(paths.map((path) => findFiles(context, path)))).flat()
  const documents = await Promise.all(files.map(readDocument))
  const { client } = await connect()
  const plan: Planned[] = []
  for (const { file, name, document } of documents) {
    plan.push({ file, name, document, change: await compare(client, { name, document }) })
  }
  const note = options.text('note')
  const published: PublishedAnswer[] = []
  for (const { change, name, document } of isApplied ? plan : []) {
    if (change !== 'same') published.push(await publish(client, { change, name, document, note }))
  }
  const items = plan.map(({ document: _document, ...item }) => item)
  if (screen.isJson) {
    screen.json({ plan: items, isApplied, published })
    return exit.ok
  }
  showTable(screen, {
    columns: [{ title: 'tool' }, { title: 'change' }, { title: 'file', shrinkTo: 12 }],
    rows: items.map(({ name, change, file }) => [name, change, file].map(toSafeLine)),
  })
  const changes = items.filter(({ change }) => change !== 'same').length
  if (changes === 0) screen.out('Nothing to publish.')
  else if (isApplied) screen.out(`${screen.style('green', '✓')} Published ${changes}.`)
  else screen.out('Nothing is published yet. Add --apply to publish them.')
  return exit.ok
}

interface Publishing {
  change: Change
  name: string
  document: JsonValue
  note: string | undefined
}

async function publish(client: HttpClient, given: Publishing): Promise<PublishedAnswer> {
  const { change, name, document, note } = given
  const said = note === undefined ? {} : { note }
  if (change === 'new') {
    const body = { document, publish: true, ...said }
    const made = await client.read<{ published: PublishedAnswer }>('/tools', {
      method: 'POST',
      body,
    })
    return made.published
  }
  const path = `/tools/${encodeURIComponent(name)}`
  await client.read(`${path}/draft`, { method: 'PUT', body: { document } })
  return client.read<PublishedAnswer>(`${path}/publish`, { method: 'POST', body: said })
}

async function compare(
  client: HttpClient,
  { name, document }: { name: string; document: JsonValue },
): Promise<Change> {
  const source = await findSource(client, name)
  if (source?.document === undefined) return 'new'
  return canonicalJson(source.document) === canonicalJson(document) ? 'same' : 'changed'
}

async function findSource(client: HttpClient, name: string): Promise<ToolSourceView | undefined> {
  try {
    return await client.read<ToolSourceView>(`/tools/${encodeURIComponent(name)}/source`)
  } catch (error) {
    if (error instanceof ToolError && error.code === 'tool_not_found') return undefined
    throw error
  }
}

const isDocumentFile = (file: string) => /\.tool\.(?:ya?ml|json)$/.test(file)

async function findFiles({ environment }: CommandContext, path: string): Promise<string[]> {
  const whole = resolve(environment.cwd, path)
  const found = await stat(whole).catch(() => undefined)
  if (found === undefined) throw usageError(`${path} could not be read.`, 'Check the path.')
  if (!found.isDirectory()) return [whole]
  const names = await readdir(whole)
  return names
    .filter(isDocumentFile)
    .toSorted()
    .map((name) => join(whole, name))
}

async function readDocument(file: string) {
  const { size } = await stat(file)
  if (size > maxFileBytes) {
    throw usageError(`${file} has ${size} bytes; the limit is ${maxFileBytes}.`)
  }
  const text = await readFile(file, 'utf8')
  try {
    // Aliases that multiply are refused: a small file must not become a large document.
    const document = parse(text, { maxAliasCount: 50 }) as JsonValue
    const { name } = document as { name?: unknown }
    if (typeof name === 'string' && name !== '') return { file, name, document }
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n', 1)
    throw usageError(`${file} can't be read as YAML or JSON: ${reason}`)
  }
  throw usageError(`${file} names no tool.`, 'Begin it with name: pack.verb')
}

/** Writes the documents in force, one file each, so that they can live in git. */
async function exportTools(context: CommandContext): Promise<number> {
  const { screen, connect, options, environment } = context
  const [, ...names] = context.words
  const { client } = await connect()
  const folder = resolve(environment.cwd, options.text('to') ?? 'tools')
  const wanted = names.length > 0 ? names : await listNames(client)
  const files: string[] = []
  await mkdir(folder, { recursive: true })
  for (const name of wanted) {
    const source = await client.read<ToolSourceView>(`/tools/${encodeURIComponent(name)}/source`)
    if (source.document === undefined) throw usageError(`${name} is not a document.`)
    const file = join(folder, `${source.name}.tool.yaml`)
    await writeFile(file, stringify(source.document, { aliasDuplicateObjects: false }))
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

async function listVersions({ screen, connect, words }: CommandContext): Promise<number> {
  const [, name] = words
  if (name === undefined) throw usageError('Name the tool: toolcrib tools versions billing.refund')
  const { client } = await connect()
  const items = await client.all<ToolVersionView>(`/tools/${encodeURIComponent(name)}/versions`)
  if (screen.isJson) {
    screen.json({ items })
    return exit.ok
  }
  showTable(screen, {
    columns: [
      { title: 'version' },
      { title: 'hash' },
      { title: 'by', shrinkTo: 8 },
      { title: 'created' },
      { title: 'note', shrinkTo: 12 },
    ],
    rows: items.map(({ number, hash, createdBy, createdAt, note = '', isInForce }) => [
      `${number}${isInForce ? ' in force' : ''}`,
      hash,
      toSafeLine(`${createdBy.kind}:${createdBy.id}`),
      createdAt.slice(0, 16).replace('T', ' '),
      toSafeLine(note),
    ]),
  })
  return exit.ok
}

async function restoreVersion({ screen, connect, words, options }: CommandContext) {
  const [, name, hash] = words
  if (name === undefined || hash === undefined) {
    throw usageError('Name the tool and the version: toolcrib tools restore billing.refund HASH')
  }
  const { client } = await connect()
  const note = options.text('note')
  const path = `/tools/${encodeURIComponent(name)}/versions/${encodeURIComponent(hash)}/restore`
  const body = note === undefined ? {} : { note }
  const restored = await client.read<PublishedAnswer>(path, { method: 'POST', body })
  if (screen.isJson) screen.json(restored)
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(name)} is version ${hash} again`)
  return exit.ok
}
