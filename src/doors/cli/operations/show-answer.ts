import type {
  CommandSpec,
  TerminalField,
  TerminalRecord,
  TerminalTable,
  TerminalTone,
  TerminalWords,
} from '../../../core/operations/command-spec.ts'
import { showFacts } from '../output/facts.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Format, Screen } from '../output/screen.ts'
import { showTable } from '../output/table.ts'
import { toLocalTime, toTimeWords } from '../output/time-words.ts'

/** A specification whose answers are not known to the compiler. */
export type AnySpec = CommandSpec<unknown>

const words: TerminalWords = {
  soon: (time) => toTimeWords(time, Date.now()),
  moment: toLocalTime,
}

const formats: Readonly<Record<TerminalTone, Format>> = {
  good: 'green',
  bad: 'red',
  quiet: 'dim',
  id: 'cyan',
}

/** Shows a list as a table, or what to do about an empty one. */
export function showList(screen: Screen, spec: AnySpec, items: readonly unknown[]): void {
  const columns = (spec.list ?? []) as readonly TerminalField<unknown>[]
  if (items.length === 0) return screen.out(spec.empty ?? 'Nothing yet.')
  showTable(screen, {
    columns: columns.map(({ title, align, shrinkTo, tone }) => ({
      title,
      align,
      shrinkTo,
      style: (cell, row) => {
        const found = tone?.(items[row])
        return found === undefined ? cell : screen.style(formats[found], cell)
      },
    })),
    rows: items.map((item) => columns.map(({ text }) => toSafeLine(text(item, words) ?? ''))),
  })
}

function showPart(screen: Screen, table: TerminalTable<unknown>, output: unknown): void {
  const rows = table.rows(output, words).map((row) => row.map(toSafeLine))
  if (rows.length === 0) return screen.out(table.empty)
  showTable(screen, { columns: table.columns, rows })
  const more = table.more?.(output)
  if (more !== undefined) screen.out(toSafeLine(more))
}

/** Shows a record line by line, or the sentence after a change. */
export function showAnswer(screen: Screen, spec: AnySpec, output: unknown): void {
  if (spec.record !== undefined) return showRecord(screen, spec.record, output)
  if (spec.prints !== undefined) return showPrinted(screen, spec, output)
  const isFailed = spec.failed?.(output) === true
  const mark = isFailed ? screen.style('red', '✗') : screen.style('green', '✓')
  screen.out(`${mark} ${toSafeLine(spec.says?.(output, words) ?? 'Done')}`)
  const next = spec.next?.(output)
  if (next !== undefined) screen.out(`→ ${toSafeLine(next)}`)
}

function showRecord(screen: Screen, record: TerminalRecord<unknown>, output: unknown): void {
  const facts = record.fields.map(({ title, text }) => [title, text(output, words)] as const)
  showFacts(screen, record.title(output), facts)
  if (record.table !== undefined) showPart(screen, record.table, output)
}

/** The value alone on stdout, so that it can be piped. */
function showPrinted(screen: Screen, spec: AnySpec, output: unknown): void {
  screen.out(toSafeLine(spec.prints?.(output) ?? ''))
  screen.err(`${screen.errStyle('green', '✓')} ${toSafeLine(spec.says?.(output, words) ?? '')}`)
  const remark = spec.next?.(output)
  if (remark !== undefined) screen.err(`! ${toSafeLine(remark)}`)
}
