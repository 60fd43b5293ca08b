import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { isCanonicalName } from '../../../core/kernel/names.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { parseToolText } from '../../../features/authoring/files/parse-tool-text.ts'
import type { CreatedTool } from '../../../features/authoring/schemas.ts'
import type { CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'
import { placeFindings, showFindings } from './show-findings.ts'
import { documentKinds, parseKind, templateOf } from './templates.ts'
import { writeDocument } from './write-document.ts'

/** A draft that the server makes of a command or of a record. */
interface ToolFrom {
  document: JsonValue
  /** Secrets whose values were in the command and are not kept. */
  secrets: readonly string[]
  notes: readonly string[]
}

/** A document to begin with. */
interface Beginning extends Partial<ToolFrom> {
  document: JsonValue
  text: string
}

/** `toolcrib tools new`: a draft in the crib, or with `--file` a file. */
export async function newTool(context: CommandContext): Promise<number> {
  const { words, options } = context
  const [, name, ...more] = words
  if (name === undefined || more.length > 0) {
    throw usageError('Name the tool: toolcrib tools new billing.refund --kind http')
  }
  if (!isCanonicalName(name)) {
    throw usageError(
      `${name} can't be the name of a tool.`,
      'Use lower-case words joined by dots, such as billing.refund.',
    )
  }
  const begun = await begin(context, name)
  const place = options.text('file')
  return place === undefined
    ? saveDraft(context, name, begun)
    : saveFile(context, { name, place, begun })
}

async function begin(context: CommandContext, name: string): Promise<Beginning> {
  const { options } = context
  const [curl, from, kind] = ['curl', 'from', 'kind'].map((option) => options.text(option))
  const given = [curl, from, kind].filter((one) => one !== undefined)
  if (given.length > 1) throw usageError('Give one of --kind, --curl and --from.')
  if (curl !== undefined)
    return beginFrom(context, name, { curl: await readCommand(context, curl) })
  if (from !== undefined) return beginFrom(context, name, toRecord(from))
  if (kind === undefined) {
    const kinds = documentKinds.join('|')
    throw usageError('Give the kind of the tool.', `--kind ${kinds}, or --curl, or --from.`)
  }
  const text = templateOf(parseKind(kind), name)
  return { text, document: parseToolText(text).value ?? null }
}

async function readCommand({ environment }: CommandContext, curl: string): Promise<string> {
  return curl === '-' ? readAll(environment.stdin) : curl
}

/** By the beginning of its id. */
function toRecord(id: string): Record<string, string> {
  if (id.startsWith('call_')) return { call: id }
  return id.startsWith('conv_') ? { conversation: id } : { run: id }
}

async function beginFrom(
  { connect }: CommandContext,
  name: string,
  body: Record<string, string>,
): Promise<Beginning> {
  const { client } = await connect()
  const made = await client.read<ToolFrom>('/tools/from', { method: 'POST', body })
  const document = { ...(made.document as { [key: string]: JsonValue }), name }
  return { ...made, document, text: writeDocument(document) }
}

async function saveDraft(
  { connect, screen }: CommandContext,
  name: string,
  { document, text, secrets, notes }: Beginning,
): Promise<number> {
  const { client } = await connect()
  const created = await client.read<CreatedTool>('/tools', { method: 'POST', body: { document } })
  if (screen.isJson) {
    screen.json({ ...created, ...(secrets && { secrets }), ...(notes && { notes }) })
    return exit.ok
  }
  const { placeOf } = parseToolText(text)
  showFindings(screen, placeFindings(created.draft?.findings ?? [], placeOf))
  screen.out(`${screen.style('green', '✓')} Your draft of ${toSafeLine(name)} is saved.`)
  showHints(screen, { secrets, notes })
  screen.out(`→ toolcrib tools edit ${name}, then toolcrib tools publish ${name}`)
  return exit.ok
}

async function saveFile(
  { environment, screen }: CommandContext,
  { name, place, begun }: { name: string; place: string; begun: Beginning },
): Promise<number> {
  const whole = resolve(environment.cwd, place)
  const isFolder = (await stat(whole).catch(() => undefined))?.isDirectory() === true
  const file = isFolder ? join(whole, `${name}.tool.yaml`) : whole
  if (!/\.tool\.ya?ml$/.test(file)) {
    throw usageError(`${place} is not loaded as a tool.`, `Name it ${name}.tool.yaml.`)
  }
  await mkdir(dirname(file), { recursive: true })
  try {
    await writeFile(file, begun.text, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw usageError(`${place} is there already.`, 'Name another file, or edit that one.')
  }
  if (screen.isJson) {
    screen.json({ file, document: begun.document })
    return exit.ok
  }
  screen.out(`${screen.style('green', '✓')} ${toSafeLine(relative(environment.cwd, file) || file)}`)
  showHints(screen, begun)
  screen.out('→ toolcrib check shows its problems; toolcrib dev reloads it as you write.')
  return exit.ok
}

function showHints(
  screen: CommandContext['screen'],
  { secrets = [], notes = [] }: Pick<Beginning, 'secrets' | 'notes'>,
): void {
  for (const note of notes) screen.err(`! ${toSafeLine(note)}`)
  for (const secret of secrets) screen.out(`→ toolcrib secrets set ${toSafeLine(secret)}`)
}
