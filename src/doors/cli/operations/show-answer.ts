import type {
  CommandSpec,
  TerminalTable,
  TerminalTone,
  TerminalWords,
} from '../../../core/operations/command-spec.ts'
import { showFacts } from '../output/facts.ts'
import { toSafeLine, toSafeText } from '../output/safe-text.ts'
import type { Format, Screen } from '../output/screen.ts'
import { showTable } from '../output/table.ts'
import { toLocalTime, toTimeLeft, toTimeWords } from '../output/time-words.ts'
import type { AnswerField } from './command-request.ts'
import { toFlag } from './input-fields.ts'
import type { Action } from './read-request.ts'

/** A specification whose answers are not known to the compiler. */
export type AnySpec = CommandSpec<unknown>

/** How values are written. */
export const terminalWords: TerminalWords = {
  soon: (time) => toTimeWords(time, Date.now()),
  moment: toLocalTime,
  left: toTimeLeft,
}

const formats: Readonly<Record<TerminalTone, Format>> = {
  good: 'green',
  warn: 'yellow',
  bad: 'red',
  quiet: 'dim',
  id: 'cyan',
}

/** Text in the colour of its tone. */
export function formatOf(screen: Screen, tone: TerminalTone | undefined, text: string): string {
  return tone === undefined ? text : screen.style(formats[tone], text)
}

/** Shows a record line by line, the sentence after a change, or every field of the answer. */
export function showAnswer(screen: Screen, { request, spec: given }: Action, output: unknown) {
  const spec = given as unknown as AnySpec
  if (spec.record !== undefined) return showRecord(screen, spec, output)
  if (spec.prints !== undefined) return showPrinted(screen, spec, output)
  if (spec.says === undefined) return showFields(screen, request.answer, output)
  screen.out(`${markOf(screen, spec, output)} ${toSafeLine(spec.says(output, terminalWords))}`)
  for (const next of nextOf(spec, output)) screen.out(`→ ${toSafeLine(next)}`)
}

function markOf(screen: Screen, spec: AnySpec, output: unknown): string {
  const outcome = spec.outcome?.(output)
  if (outcome === 'unknown') return '–'
  return outcome === 'failed' ? screen.style('red', '✗') : screen.style('green', '✓')
}

function nextOf(spec: AnySpec, output: unknown): readonly string[] {
  return [spec.next?.(output) ?? []].flat()
}

/** A record with its table and remarks. */
export function showRecord<Output>(
  screen: Screen,
  { record, remarks }: Pick<CommandSpec<Output>, 'record' | 'remarks'>,
  output: Output,
): void {
  if (record === undefined) return
  const { title, fields, table } = record
  const facts = fields.map((field) => [field.title, field.text(output, terminalWords)] as const)
  showFacts(screen, title?.(output), facts)
  if (table !== undefined) showPart(screen, table, output)
  for (const remark of remarks?.(output) ?? []) showRemark(screen, remark)
}

/** A warning of the command itself. */
export function showRemark(screen: Screen, remark: string): void {
  screen.out(`${screen.style('yellow', '!')} ${toSafeLine(remark)}`)
}

function showPart<Output>(screen: Screen, table: TerminalTable<Output>, output: Output): void {
  const rows = table.rows(output, terminalWords).map((row) => row.map(toSafeLine))
  if (rows.length === 0) return screen.out(table.empty)
  if (table.isApart === true) screen.out('')
  showTable(screen, { columns: table.columns, rows })
  const more = table.more?.(output)
  if (more !== undefined) screen.out(toSafeLine(more))
}

/** The value alone on stdout, so that it can be piped. */
function showPrinted(screen: Screen, spec: AnySpec, output: unknown): void {
  screen.out(toSafeText(spec.prints?.(output) ?? '').replace(/\n$/, ''))
  const says = spec.says?.(output, terminalWords)
  if (says !== undefined) screen.err(`${screen.errStyle('green', '✓')} ${toSafeLine(says)}`)
  for (const remark of nextOf(spec, output)) screen.err(`! ${toSafeLine(remark)}`)
}

function showFields(screen: Screen, answer: readonly AnswerField[] = [], output: unknown): void {
  const [first, ...rest] = answer.map(
    (field) => [toTitle(field), toFieldText(field, output)] as const,
  )
  showFacts(screen, first?.[1] ?? 'Done', rest)
}

/** `nextRunAt` → `next run at`. */
export function toTitle({ name }: AnswerField): string {
  return toFlag(name).replaceAll('-', ' ')
}

/** A field of an answer that no column describes. */
export function toFieldText({ name, kind }: AnswerField, item: unknown): string | undefined {
  const value = (item as Readonly<Record<string, unknown>>)[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') return JSON.stringify(value)
  return kind === 'time' ? toLocalTime(value) : value
}
