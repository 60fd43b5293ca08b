import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { canonicalJson } from '../../../core/kernel/json/canonical-json.ts'
import type { PlacedFinding } from '../../../core/kernel/finding.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { parseToolText } from '../../../features/authoring/files/parse-tool-text.ts'
import type { ToolDraftView, ToolSourceView } from '../../../features/authoring/schemas.ts'
import type { HttpClient } from '../client/http-client.ts'
import type { CommandContext } from '../command.ts'
import { isAsking } from '../confirm.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'
import { nameDocument } from './read-files.ts'
import { type OpenText, openText } from './run-editor.ts'
import { hasErrors, placeFindings, showFindings, toFindingLine } from './show-findings.ts'
import { checkDocument, findSource, toolPath } from './tool-source.ts'
import { writeDocument } from './write-document.ts'

/** A tool in the hands of its author. */
interface Editing {
  context: CommandContext
  client: HttpClient
  name: string
  source: ToolSourceView
}

/** `toolcrib tools edit`: your draft, or the published version, in your editor or from stdin. */
export async function editTool(context: CommandContext): Promise<number> {
  const { connect, environment, words } = context
  const [, name, from, ...more] = words
  if (name === undefined || more.length > 0 || (from !== undefined && from !== '-')) {
    throw usageError('Name the tool: toolcrib tools edit billing.refund')
  }
  const { client } = await connect()
  const source = await findSource(client, name)
  if (source === undefined) {
    throw usageError(`There is no tool ${name}.`, `toolcrib tools new ${name} --kind http`)
  }
  const editing = { context, client, name, source }
  if (from === '-') return saveGiven(editing, await readAll(environment.stdin))
  const document = source.draft?.document ?? source.document
  if (document === undefined) {
    throw usageError(
      `${name} is a tool of another source (${source.source}).`,
      `Change its file, or facts of it: PATCH /tools/${name}.`,
    )
  }
  return editDocument(editing, document)
}

async function saveGiven(editing: Editing, text: string): Promise<number> {
  const { context, client, name } = editing
  if (text.trim() === '') throw usageError('Nothing came on stdin.', 'Give the whole document.')
  const { document, placeOf, name: named } = nameDocument(text, 'The document')
  if (named !== name) throw usageError(`The document is ${named}, not ${name}.`)
  const draft = await save(editing, document)
  const findings = placeFindings(await checkDocument(client, document), placeOf)
  return showSaved(context, draft, findings)
}

async function editDocument(editing: Editing, document: JsonValue): Promise<number> {
  const { context, name } = editing
  const opened = await openText(context.environment, name)
  const start = `${toHead(editing)}${writeDocument(document)}`
  try {
    const edited = await editUntilDone(editing, opened, start)
    if (edited === 'kept') return exit.failed
    const isSame =
      edited === undefined || canonicalJson(edited.document) === canonicalJson(document)
    const draft = isSame ? undefined : await save(editing, edited.document)
    await opened.remove()
    if (draft !== undefined) return showSaved(context, draft, edited?.findings ?? [])
  } catch (error) {
    // Somebody else may have changed the draft, or the server may not answer: the text is kept.
    context.screen.err(`Your text is in ${opened.file}`)
    throw error
  }
  context.screen.err('Nothing changed.')
  return exit.ok
}

interface Edited {
  document: JsonValue
  findings: readonly PlacedFinding[]
}

/** Undefined: the author cancelled. `kept`: the text can't be saved, and its file stays. */
async function editUntilDone(
  { context, client, name }: Editing,
  opened: OpenText,
  start: string,
): Promise<Edited | 'kept' | undefined> {
  const { screen } = context
  let text = start
  for (;;) {
    const before = text
    text = await opened.edit(text)
    if (withoutComments(text) === '') return undefined
    const read = readText(text, name)
    const findings =
      'problems' in read
        ? read.problems
        : placeFindings(await checkDocument(client, read.document), read.placeOf)
    const done = 'problems' in read ? undefined : { document: read.document, findings }
    if (done !== undefined && !hasErrors(findings)) return done
    showFindings(screen, findings)
    if (await asksAgain(context, { canSave: done !== undefined, isSame: text === before })) {
      text = withProblems(text, findings)
      continue
    }
    if (done !== undefined) return done
    screen.err(`Nothing is saved. Your text is in ${opened.file}`)
    return 'kept'
  }
}

/** True for another round in the editor. Without a terminal there is none. */
async function asksAgain(
  context: CommandContext,
  { canSave, isSame }: { canSave: boolean; isSame: boolean },
): Promise<boolean> {
  if (!isAsking(context)) return false
  const { stdin, stderr } = context.environment
  const reader = createInterface({ input: stdin, output: stderr })
  try {
    const other = canSave ? 'n: save the draft as it is' : 'n: stop'
    const answer = await reader.question(`Edit again? [${isSame ? 'y/N' : 'Y/n'}; ${other}] `)
    const said = answer.trim().toLowerCase()
    return said === '' ? !isSame : said.startsWith('y')
  } finally {
    reader.close()
  }
}

type ReadText =
  | { document: JsonValue; placeOf: ReturnType<typeof parseToolText>['placeOf'] }
  | { problems: PlacedFinding[] }

function readText(text: string, name: string): ReadText {
  const { value, problem, placeOf } = parseToolText(text)
  const toProblem = (message: string, path = ''): ReadText => ({
    problems: [{ path, message, severity: 'error', ...(problem?.at ?? placeOf(path)) }],
  })
  if (problem !== undefined) return toProblem(problem.message)
  if (value === undefined || value === null) return toProblem('is empty')
  const { name: named } = value as { name?: unknown }
  if (named !== name) return toProblem(`must stay ${name}`, '/name')
  return { document: value, placeOf }
}

const problemMark = '#! '

/** The problems at the top, in place of those of the round before. */
function withProblems(text: string, findings: readonly PlacedFinding[]): string {
  const rest = text.split('\n').filter((line) => !line.startsWith(problemMark))
  const moved = findings.length + (rest.length - text.split('\n').length)
  const shifted = findings.map(({ line, ...finding }) => ({
    ...finding,
    ...(line !== undefined && { line: line + moved }),
  }))
  return [...shifted.map((one) => `${problemMark}${toFindingLine(one)}`), ...rest].join('\n')
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*#.*$/gm, '').trim()
}

function toHead({ name, source: { draft, version } }: Editing): string {
  const published = version === undefined ? 'nothing is published' : `version ${version.number}`
  const what = draft === undefined ? published : `your draft; in force: ${published}`
  return `# ${name}: ${what}
# Save and close to check it and save it as your draft. Delete everything to cancel.
# toolcrib tools publish ${name} puts it in force.
`
}

async function save(
  { client, name, source: { draft, version } }: Editing,
  document: JsonValue,
): Promise<ToolDraftView> {
  const from = draft === undefined ? version?.hash : draft.from
  const body = { document, revision: draft?.revision ?? 0, ...(from !== undefined && { from }) }
  return client.read<ToolDraftView>(`${toolPath(name)}/draft`, { method: 'PUT', body })
}

function showSaved(
  { screen }: CommandContext,
  draft: ToolDraftView,
  findings: readonly PlacedFinding[],
): number {
  const isWrong = hasErrors(findings)
  if (screen.isJson) screen.json({ ...draft, findings })
  else {
    showFindings(screen, findings)
    const name = toSafeLine(draft.name)
    screen.out(`${screen.style('green', '✓')} Your draft of ${name} is saved.`)
    if (!isWrong) screen.out(`→ toolcrib tools publish ${name}`)
  }
  return isWrong ? exit.failed : exit.ok
}
