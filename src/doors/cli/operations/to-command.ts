import type { CommandGroup } from '../../../core/operations/command-group.ts'
import type { CommandSpec } from '../../../core/operations/command-spec.ts'
import type { Operation } from '../../../core/operations/operation.ts'
import type { Command, CommandContext, OptionSpec } from '../command.ts'
import { findAction } from '../commands/find-action.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { showWarnings } from '../output/show-warnings.ts'
import { inputFields, toFlag } from './input-fields.ts'
import { readRequest } from './read-request.ts'
import { showAnswer, showList, type AnySpec } from './show-answer.ts'

interface Action {
  operation: Operation
  spec: CommandSpec
  usage: string
}

/** The command of a feature: one action for each command of its operations. */
export function toCommand(group: CommandGroup): Command {
  const actions = toActions(group)
  const verbs = [...actions.keys()]
  const runs = [...actions].map(([verb, action]): [string, Command['run']] => [
    verb,
    (context) => runAction(action, context),
  ])
  return {
    summary: group.summary,
    usage: toUsageLines(group.name, [...actions.values()]),
    options: toOptions([...actions.values()]),
    maxWords: 1 + Math.max(...[...actions.values()].map(({ spec }) => spec.words?.length ?? 0)),
    reads: ['', ...verbs.filter((verb) => actions.get(verb)?.operation.method === 'GET')],
    firstWord: verbs,
    optionsOf: Object.fromEntries(
      [...actions].map(([verb, { operation, spec }]) => [
        verb,
        [...inputFields(operation, spec).keys()],
      ]),
    ),
    notes: group.notes,
    examples: group.examples,
    run: (context) => findAction(group.name, Object.fromEntries(runs), context),
  }
}

function toActions({ name, operations }: CommandGroup): Map<string, Action> {
  const entries = Object.values(operations).flatMap((operation) =>
    operation.commands.map((spec): [string, Action] => {
      const usage = `toolcrib ${name} ${spec.verb}${toUsage(operation, spec)}`
      return [spec.verb, { operation, spec, usage }]
    }),
  )
  return new Map(entries)
}

/** Actions that take the same are one line: `schedules show|pause|resume <id>`. */
function toUsageLines(group: string, actions: readonly Action[]): string[] {
  const lines = new Map<string, string[]>()
  for (const { operation, spec } of actions) {
    const rest = toUsage(operation, spec)
    const verb = spec.verb === 'list' ? '[list]' : spec.verb
    lines.set(rest, [...(lines.get(rest) ?? []), verb])
  }
  return [...lines].map(([rest, verbs]) => `${group} ${verbs.join('|')}${rest}`)
}

function toUsage(operation: Operation, spec: CommandSpec): string {
  const words = (spec.words ?? []).map((word) => ` <${toFlag(word)}>`)
  const flags = [...inputFields(operation, spec)].map(([flag, { isRequired, option }]) => {
    const text = `--${flag} ${option.value ?? ''}`.trimEnd()
    if (isRequired) return ` ${text}`
    return spec.needsOneOf?.some((name) => toFlag(name) === flag) ? ` [${text}]` : ''
  })
  return [...words, ...flags].join('')
}

/** Options of all actions together; help of one action shows its own. */
function toOptions(actions: readonly Action[]): Record<string, OptionSpec> {
  const options: Record<string, OptionSpec> = {}
  for (const { operation, spec } of actions) {
    for (const [flag, { option }] of inputFields(operation, spec)) options[flag] ??= option
  }
  return options
}

async function runAction(action: Action, context: CommandContext): Promise<number> {
  const { connect, screen, words } = context
  const spec = action.spec as unknown as AnySpec
  const { path, request } = await readRequest(action, context)
  const { client, kind } = await connect()
  if (spec.list !== undefined) {
    const items = await readItems()
    if (screen.isJson) screen.json({ items })
    else showList(screen, spec, items)
    return exit.ok
  }
  const remark = () => {
    if (spec.whenLocal !== undefined && kind === 'local' && !screen.isJson)
      screen.err(`! ${spec.whenLocal}`)
  }
  if (action.operation.answer.schema === undefined) {
    await client.send(path, request)
    const { done = 'deleted' } = spec
    const said = `${done.charAt(0).toUpperCase()}${done.slice(1)} ${toSafeLine(words[1] ?? '')}`
    if (screen.isJson) screen.json({ [spec.words?.[0] ?? 'id']: words[1], [done]: true })
    else screen.out(`${screen.style('green', '✓')} ${said}`)
    remark()
    return exit.ok
  }
  const output = await client.read<unknown>(path, request)
  if (screen.isJson) screen.json(output)
  else showAnswer(screen, spec, output)
  showWarnings(screen, output as { warnings?: readonly string[] })
  remark()
  return exit.ok

  /** All of them, unless somebody asks for so many. */
  async function readItems(): Promise<readonly unknown[]> {
    const isPaged = inputFields(action.operation, action.spec).has('limit')
    if (isPaged && request.query?.['limit'] === undefined)
      return client.all<unknown>(path, { ...request.query, limit: 500 })
    return (await client.read<{ items: unknown[] }>(path, request)).items
  }
}
