import type { CommandGroup } from '../../../core/operations/command-group.ts'
import type { CommandSpec } from '../../../core/operations/command-spec.ts'
import type { Command, CommandContext, OptionSpec, OptionSpecs } from '../command.ts'
import { findAction } from '../find-action.ts'
import { usageError } from '../parse-options.ts'
import { commandRequests } from './command-requests.ts'
import { inputFields, toFlag } from './input-fields.ts'
import { isOptionalWord, wordOf, type Action } from './read-request.ts'
import { runAction, type View } from './run-action.ts'

/** A verb that is written by hand, because it is a program of its own. */
export interface HandAction extends Pick<Command, 'run'> {
  usage: readonly string[]
  options?: OptionSpecs
  /** How many words follow the verb; one unless set. */
  maxWords?: number
  isReading?: boolean
}

/** The parts of a command that do not come from operations. */
export interface ByHand extends Pick<Command, 'ownsUrl'> {
  /** Without a verb, where that is not the list. */
  bare?: HandAction
  actions?: Readonly<Record<string, HandAction>>
  /** How answers are shown that are more than a table or a record, by verb. */
  views?: Readonly<Record<string, View>>
}

type Verbs = Readonly<Record<string, HandAction>>

/** The command of a feature: one action for each command of its operations, and those by hand. */
export function toCommand(group: CommandGroup, byHand: ByHand = {}): Command {
  const actions = toActions(group)
  const verbs: Record<string, HandAction> = {}
  for (const action of actions)
    verbs[action.spec.verb] = toVerb(action, byHand.views?.[action.spec.verb])
  Object.assign(verbs, byHand.actions)
  const { bare, ownsUrl } = byHand
  const all = [...(bare === undefined ? [] : [bare]), ...Object.values(verbs)]
  const facts = {
    summary: group.summary,
    usage: [
      ...(bare?.usage ?? []),
      ...toUsageLines(group.name, actions, bare === undefined),
      ...Object.values(byHand.actions ?? {}).flatMap(({ usage }) => usage),
    ],
    options: mergeOptions(all),
    ownsUrl,
    notes: group.notes,
    examples: group.examples,
  }
  const single = verbs['']
  if (single !== undefined) {
    const { maxWords = 1, isReading, run } = single
    return { ...facts, maxWords, ...(isReading && { reads: true }), run }
  }
  return {
    ...facts,
    maxWords: 1 + Math.max(...all.map(({ maxWords = 1 }) => maxWords)),
    reads: [
      ...(bare === undefined ? [''] : []),
      ...Object.keys(verbs).filter((verb) => verbs[verb]?.isReading),
    ],
    firstWord: Object.keys(verbs),
    optionsOf: Object.fromEntries(
      Object.entries(verbs).map(([verb, { options = {} }]) => [verb, options]),
    ),
    run: (context) =>
      bare !== undefined && context.words.length === 0
        ? bare.run(context)
        : runVerb(group.name, verbs, context),
  }
}

function toActions({ name, commands }: CommandGroup): Action[] {
  return Object.entries(commands).flatMap(([operation, specs]) => {
    const request = commandRequests[operation]
    if (request === undefined) throw new Error(`Run npm run reference: ${operation} is new`)
    return [specs ?? []].flat().map((given): Action => {
      const spec = given as CommandSpec
      const fields = inputFields(request, spec)
      const rest = toUsage({ request, spec, fields })
      return { request, spec, fields, usage: `toolcrib ${`${name} ${spec.verb}`.trimEnd()}${rest}` }
    })
  })
}

function toVerb(action: Action, view: View | undefined): HandAction {
  const { spec, fields, request } = action
  const options = [...fields].map(([flag, { option }]): [string, OptionSpec] => [flag, option])
  const yes = { type: 'boolean', summary: 'do not ask' } as const
  return {
    // Verbs that take the same share a line.
    usage: [],
    options: { ...Object.fromEntries(options), ...(spec.asks !== undefined && { yes }) },
    maxWords: spec.words?.length ?? 0,
    isReading: request.method === 'GET',
    run: (context) => runAction(action, context, view),
  }
}

/** Actions that take the same are one line: `schedules show|pause|resume <id>`. */
function toUsageLines(group: string, actions: readonly Action[], isDefault: boolean): string[] {
  const lines = new Map<string, string[]>()
  const bare = bareVerb(actions.map(({ spec }) => spec.verb))
  for (const { spec, request, fields } of actions) {
    const rest = toUsage({ request, spec, fields })
    const verb = isDefault && spec.verb === bare ? `[${spec.verb}]` : spec.verb
    lines.set(rest, [...(lines.get(rest) ?? []), verb])
  }
  return [...lines].map(([rest, verbs]) => `${`${group} ${verbs.join('|')}`.trimEnd()}${rest}`)
}

function toUsage({ request, spec, fields }: Omit<Action, 'usage'>): string {
  const words = (spec.words ?? []).map((word) =>
    isOptionalWord(request, word) ? ` [${wordOf(spec, word)}]` : ` <${wordOf(spec, word)}>`,
  )
  const flags = [...fields].map(([flag, { isRequired, option }]) => {
    const text = `--${flag} ${option.value ?? ''}${option.multiple ? '…' : ''}`.trimEnd()
    if (isRequired) return ` ${text}`
    const { needsOneOf = [] } = spec
    if (needsOneOf === 'any') return ''
    return needsOneOf.some((name) => toFlag(name) === flag) ? ` [${text}]` : ''
  })
  return [...words, ...flags].join('')
}

/** Options of all actions together; help of one action shows its own. */
function mergeOptions(actions: readonly HandAction[]): OptionSpecs {
  const merged: Record<string, OptionSpec> = {}
  for (const { options = {} } of actions) {
    for (const [flag, option] of Object.entries(options)) merged[flag] ??= option
  }
  return merged
}

function runVerb(group: string, verbs: Verbs, context: CommandContext): Promise<number> {
  const asked = toAskedWords(verbs, context.words)
  const [verb = 'list', ...words] = asked
  const extra = words[verbs[verb]?.maxWords ?? 1]
  if (extra !== undefined && verb in verbs) throw usageError(`${extra} is one word too many.`)
  const runs = Object.entries(verbs).map(([name, { run }]) => [name, run])
  const actions = Object.fromEntries(runs) as Record<string, Command['run']>
  return findAction(group, actions, { ...context, words: asked })
}

/** The verb may be left out where help shows it as optional: `sandbox`, `processes ws_…`. */
function toAskedWords(verbs: Verbs, words: readonly string[]): readonly string[] {
  const bare = bareVerb(Object.keys(verbs))
  if (bare === undefined || (words[0] !== undefined && Object.hasOwn(verbs, words[0]))) return words
  const isWhole = words.length > 0 && words.length === verbs[bare]?.maxWords
  return words.length === 0 || (isWhole && bare === 'list') ? [bare, ...words] : words
}

/** The verb of a command without one: it lists or, where there is one thing only, shows it. */
function bareVerb(verbs: readonly string[]): string | undefined {
  return verbs.includes('list') ? 'list' : verbs.find((verb) => verb === 'show')
}
