import {
  limitMeasures,
  limitSubjects,
  type LimitSpec,
  type LimitWithUse,
} from '../../../core/limits/limit.ts'
import type { Command, CommandContext, OptionValues } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'
import { showLimit, showLimits } from './show-limits.ts'

/** The option of each measure. */
const measureOptions = {
  'calls-per-minute': 'callsPerMinute',
  concurrent: 'concurrent',
  'output-bytes-per-day': 'outputBytesPerDay',
  'cost-per-day': 'costPerDay',
  'cost-per-month': 'costPerMonth',
} as const satisfies Record<string, (typeof limitMeasures)[number]>

/** `toolcrib limits`: how much may be used, and how much is. */
export const limitsCommand: Command = {
  summary: 'List, show, set and remove limits, with who uses most of them.',
  usage: [
    'limits [list]',
    'limits show <name> [--limit N]',
    'limits set <name> --of agent [--match ID] [--tools PATTERN…] --calls-per-minute N …',
    'limits remove <name>',
  ],
  options: {
    of: {
      type: 'string',
      value: 'WORD',
      choices: limitSubjects,
      summary: 'whose calls are counted, each by itself: tenant, agent, key, member or tool',
    },
    match: { type: 'string', value: 'ID', summary: 'which of them: an id, a name, a pattern' },
    tools: {
      type: 'string',
      value: 'PATTERN',
      multiple: true,
      summary: 'count calls of these tools alone; may repeat',
    },
    'calls-per-minute': { type: 'string', value: 'N', summary: 'never more in any 60 seconds' },
    concurrent: { type: 'string', value: 'N', summary: 'calls that run at once' },
    'output-bytes-per-day': { type: 'string', value: 'N', summary: 'bytes of output in a day' },
    'cost-per-day': { type: 'string', value: 'N', summary: 'cost units in a day' },
    'cost-per-month': { type: 'string', value: 'N', summary: 'cost units in a month' },
    limit: { type: 'string', value: 'N', summary: 'how many users of it to show (20)' },
  },
  maxWords: 2,
  reads: ['', 'list', 'show'],
  firstWord: ['list', 'show', 'set', 'remove'],
  notes: ['0 allows nothing. Setting a limit again replaces all of it.'],
  examples: [
    'toolcrib limits set support-pace --of agent --match support --calls-per-minute 60',
    'toolcrib limits set mail-budget --of tool --match mail.send --cost-per-day 100',
  ],
  run: (context) => findAction('limits', { list, show, set, remove }, context),
}

async function list({ connect, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const items = await client.all<LimitWithUse>('/limits', { limit: 200 })
  if (screen.isJson) screen.json({ items })
  else if (items.length === 0)
    screen.out('No limits. → toolcrib limits set NAME --of key --calls-per-minute 60')
  else showLimits(screen, items)
  return exit.ok
}

async function show(context: CommandContext): Promise<number> {
  const { connect, screen, options } = context
  const path = pathOf(context)
  const limit = toNumber(options, 'limit') ?? 20
  const { client } = await connect()
  const found = await client.read<LimitWithUse>(path, { query: { limit } })
  if (screen.isJson) screen.json(found)
  else showLimit(screen, found)
  return exit.ok
}

async function set(context: CommandContext): Promise<number> {
  const { connect, screen } = context
  const path = pathOf(context)
  const body = toSpec(context.options)
  const { client } = await connect()
  const limit = await client.read<LimitWithUse>(path, { method: 'PUT', body })
  if (screen.isJson) screen.json(limit)
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(limit.name)} holds on every server`)
  return exit.ok
}

async function remove(context: CommandContext): Promise<number> {
  const { connect, screen, words } = context
  const path = pathOf(context)
  const { client } = await connect()
  await client.send(path, { method: 'DELETE' })
  if (screen.isJson) screen.json({ name: words[1], deleted: true })
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(words[1] ?? '')} is gone`)
  return exit.ok
}

function toSpec(options: OptionValues): LimitSpec {
  const kind = limitSubjects.find((subject) => subject === options.text('of'))
  if (kind === undefined) {
    throw usageError('Whose calls?', `Write --of with one of ${limitSubjects.join(', ')}.`)
  }
  const spec: LimitSpec = { of: kind }
  const match = options.text('match')
  const tools = options.texts('tools').flatMap((text) => text.split(','))
  if (match !== undefined) spec.match = match
  if (tools.length > 0) spec.tools = tools
  for (const [option, measure] of Object.entries(measureOptions)) {
    const most = toNumber(options, option)
    if (most !== undefined) spec[measure] = most
  }
  if (limitMeasures.some((measure) => spec[measure] !== undefined)) return spec
  const names = Object.keys(measureOptions).map((option) => `--${option}`)
  throw usageError('How much?', `Give at least one of ${names.join(', ')}.`)
}

/** A number from 0, of cost units also a fraction. */
function toNumber(options: OptionValues, name: string): number | undefined {
  const text = options.text(name)
  if (text === undefined) return undefined
  const isUnits = name.startsWith('cost')
  if ((isUnits ? /^\d{1,15}(?:\.\d{1,6})?$/ : /^\d{1,15}$/).test(text)) return Number(text)
  throw usageError(`--${name} takes a ${isUnits ? '' : 'whole '}number from 0, not ${text}.`)
}

function pathOf({ words }: CommandContext): string {
  const name = words[1]
  if (name !== undefined) return `/limits/${encodeURIComponent(name)}`
  throw usageError('Which limit?', 'toolcrib limits lists their names.')
}
