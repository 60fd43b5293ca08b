import type { TerminalField } from '../../../core/operations/command-spec.ts'
import type { Query } from '../client/http-client.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { showTable } from '../output/table.ts'
import type { AnswerField } from './command-request.ts'
import type { AnswerPage } from './read-answer.ts'
import type { Action } from './read-request.ts'
import {
  formatOf,
  showRemark,
  terminalWords,
  toFieldText,
  toTitle,
  type AnySpec,
} from './show-answer.ts'

/** Shows a list as a table, or what to do about an empty one. */
export function showList(
  screen: Screen,
  { request, spec: given }: Action,
  { page, query = {} }: { page: AnswerPage; query?: Query },
): void {
  const spec = given as unknown as AnySpec
  const { items, next } = page
  const { empty = 'Nothing yet.', more } = spec
  if (items.length === 0) screen.out(typeof empty === 'string' ? empty : empty(query, page))
  else showTable(screen, toTable(screen, columnsOf(spec, request.answer), { items, query }))
  for (const remark of spec.remarks?.(page) ?? []) showRemark(screen, remark)
  if (next !== undefined && more !== undefined) screen.err(`! ${more}`)
}

function toTable(
  screen: Screen,
  columns: readonly TerminalField<unknown>[],
  { items, query }: { items: readonly unknown[]; query: Query },
): Parameters<typeof showTable>[1] {
  return {
    columns: columns.map(({ title, titleFor, align, shrinkTo, tone }) => ({
      title: titleFor?.(query) ?? title,
      align,
      shrinkTo,
      style: (cell, row) => formatOf(screen, tone?.(items[row]), cell),
    })),
    rows: items.map((item) =>
      columns.map(({ text }) => toSafeLine(text(item, terminalWords) ?? '')),
    ),
  }
}

/** Those of the command, or one for each plain field of the items. */
function columnsOf(
  { list }: AnySpec,
  answer: readonly AnswerField[] = [],
): readonly TerminalField<unknown>[] {
  if (list !== undefined) return list
  const plain = answer.filter(({ kind }) => kind !== 'json')
  return plain.map((field, index) => ({
    title: toTitle(field),
    text: (item) => toFieldText(field, item),
    shrinkTo: 10,
    tone: () => (index === 0 ? 'id' : undefined),
  }))
}
