import type { ServerTool } from '../../../../core/gateway/tool-pin.ts'
import { showHidden, toSafeLine } from '../../output/safe-text.ts'
import type { Screen } from '../../output/screen.ts'
import { showTable } from '../../output/table.ts'
import { truncate } from '../../output/text-width.ts'

const stateColours: Readonly<Record<string, 'green' | 'yellow' | 'red' | 'dim'>> = {
  ready: 'green',
  quarantined: 'yellow',
  'left out': 'dim',
}

const inColour = (screen: Screen) => (state: string) =>
  screen.style(stateColours[state.trim()] ?? 'dim', state)

/** Tools of a server, and the changes of those that are set aside. */
export function showMcpTools(screen: Screen, tools: readonly ServerTool[]): void {
  showTable(screen, {
    columns: [
      { title: 'tool', shrinkTo: 16, style: (cell) => screen.style('cyan', cell) },
      { title: 'effect' },
      { title: 'says' },
      { title: 'state', style: inColour(screen) },
      { title: 'why', shrinkTo: 20 },
    ],
    rows: tools.map(({ name, effect, hints, state, reason, findings }) => [
      truncate(toSafeLine(name), 64),
      effect,
      toHintText(hints),
      state,
      toSafeLine(reason ?? findings.map(({ path, message }) => `${path} ${message}`).join('; ')),
    ]),
  })
  for (const tool of tools) showDifferences(screen, tool)
  showUntrusted(screen, tools)
}

/** The hints of a tool about itself. */
function toHintText({ readOnly, destructive, idempotent, openWorld }: ServerTool['hints']): string {
  const hints = [
    readOnly === true && 'read-only',
    destructive === true && 'destructive',
    idempotent === true && 'idempotent',
    openWorld === false && 'closed world',
  ]
  return hints.filter((word) => word !== false).join(', ')
}

/**
 * Shows tools with a hint that would make them less strict: it counts only after an operator
 * confirms it.
 */
function showUntrusted(screen: Screen, tools: readonly ServerTool[]): void {
  const waiting = tools.filter(
    ({ effectBy, hints, hintsTrusted, state }) =>
      state === 'ready' && effectBy !== 'operator' && !hintsTrusted && hints.readOnly === true,
  )
  const [first] = waiting
  if (first === undefined) return
  const name = toSafeLine(first.name)
  screen.out('')
  screen.out(
    `${waiting.length} ${waiting.length === 1 ? 'tool says' : 'tools say'} "read-only". Nobody has confirmed it, so calls count as ${first.effect}.`,
  )
  screen.out(`→ toolcrib mcp edit SERVER --effect ${name}=read, or --trust-hints ${name}`)
}

/** How a tool differs from the accepted definition. */
export function showDifferences(
  screen: Screen,
  tool: Pick<ServerTool, 'name' | 'hash' | 'differences'>,
): void {
  const { differences = [], name, hash } = tool
  if (differences.length === 0) return
  screen.out('')
  const isNew = differences.every(({ before }) => before === undefined)
  screen.out(screen.style('bold', `${toSafeLine(name)} ${isNew ? 'says now' : 'has changed'}`))
  for (const { path, before, after } of differences) {
    screen.out(`  ${toSafeLine(path)}`)
    if (before !== undefined) screen.out(screen.style('red', `  - ${toText(before)}`))
    if (after !== undefined) screen.out(screen.style('green', `  + ${toText(after)}`))
  }
  if (hash !== undefined) screen.out(screen.style('dim', `  hash ${hash}`))
}

/**
 * Invisible characters can hide instructions for a model in a description, so they are spelled out.
 */
function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return toSafeLine(showHidden(text))
}
