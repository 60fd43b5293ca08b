import { mostRetries } from '../../../core/schedules/retry-rule.ts'
import { overlaps } from '../../../core/schedules/schedule.ts'
import type { Schedule, ScheduleRun } from '../../../core/schedules/schedule.ts'
import { readInput } from '../call/read-input.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { parseNumber, usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'
import { showRuns, showSchedule, showSchedules, toNextText } from './show-schedules.ts'

/** `toolcrib schedules`: tools that are called when their time comes. */
export const schedulesCommand: Command = {
  summary: 'List, add, pause, resume, run and delete schedules.',
  usage: [
    'schedules [list]',
    "schedules add <name> --tool TOOL (--cron '0 9 * * 1-5' [--timezone ZONE] | --every 15m | --at +20m)",
    'schedules show|pause|resume|run|delete <id>',
    'schedules runs <id> [--limit N]',
  ],
  options: {
    tool: { type: 'string', value: 'TOOL', summary: 'the tool that is called' },
    input: { type: 'string', value: 'JSON', summary: 'its input: JSON, @file, or - for stdin' },
    cron: {
      type: 'string',
      value: 'CRON',
      summary: 'minute hour day month weekday; seconds may stand before them',
    },
    timezone: {
      type: 'string',
      value: 'ZONE',
      summary: 'for --cron (UTC) and --at: Europe/Berlin',
    },
    every: { type: 'string', value: 'TIME', summary: 'again and again: 30s, 15m, 1h30m, 7d' },
    from: { type: 'string', value: 'TIME', summary: 'for --every: count the steps from this time' },
    at: { type: 'string', value: 'TIME', summary: 'once: +20m, or 2026-12-01T09:00+01:00' },
    agent: { type: 'string', value: 'AGENT', summary: 'call as this agent' },
    retries: { type: 'string', value: 'N', summary: 'tries after a failed one (3)' },
    overlap: {
      type: 'string',
      value: 'WORD',
      choices: overlaps,
      summary: 'while the last run is unfinished: skip (normal) or allow',
    },
    limit: { type: 'string', value: 'N', summary: 'how many runs to show (20)' },
  },
  maxWords: 2,
  reads: ['', 'list', 'show', 'runs'],
  firstWord: ['list', 'add', 'show', 'pause', 'resume', 'run', 'delete', 'runs'],
  notes: ['Schedules fire while a server runs. A time that was missed is made up for once.'],
  examples: [
    "toolcrib schedules add digest --tool mail.digest --cron '0 9 * * 1-5' --timezone Europe/Berlin",
    `toolcrib schedules add reminder --tool hello.greet --at +20m --input '{"name":"Ada"}'`,
  ],
  run: (context) => {
    const pause = (inner: CommandContext) => change(inner, true)
    const resume = (inner: CommandContext) => change(inner, false)
    const actions = { list, add, show, pause, resume, run, delete: remove, runs }
    return findAction('schedules', actions, context)
  },
}

async function list({ connect, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const items = await client.all<Schedule>('/schedules', { limit: 500 })
  if (screen.isJson) screen.json({ items })
  else if (items.length === 0)
    screen.out('No schedules. → toolcrib schedules add NAME --tool TOOL --every 1h')
  else showSchedules(screen, items)
  return exit.ok
}

async function add({ connect, ...context }: CommandContext): Promise<number> {
  const { options, screen, words, environment } = context
  const name = words[1]
  const tool = options.text('tool')
  if (name === undefined || tool === undefined) {
    throw usageError(
      'A schedule needs a name and a tool.',
      'Write toolcrib schedules add NAME --tool TOOL --every 15m',
    )
  }
  const texts = ['cron', 'timezone', 'every', 'from', 'at'] as const
  const when = Object.fromEntries(texts.map((key) => [key, options.text(key)]))
  const input = await readInput(options.text('input'), environment)
  const retries = parseNumber(options, 'retries', { min: 0, max: mostRetries })
  const { client, kind } = await connect()
  const made = await client.read<Schedule>('/schedules', {
    method: 'POST',
    body: {
      name,
      tool,
      input,
      when,
      agent: options.text('agent'),
      retries,
      overlap: options.text('overlap'),
    },
  })
  if (screen.isJson) screen.json(made)
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(made.id)} runs ${toNextText(made)}`)
  if (!screen.isJson && kind === 'local')
    screen.err('! No server runs here; schedules fire while one does: toolcrib start')
  return exit.ok
}

async function show(context: CommandContext): Promise<number> {
  const { connect, screen } = context
  const path = pathOf(context)
  const { client } = await connect()
  const schedule = await client.read<Schedule>(path)
  if (screen.isJson) screen.json(schedule)
  else showSchedule(screen, schedule)
  return exit.ok
}

async function change(context: CommandContext, paused: boolean): Promise<number> {
  const { connect, screen } = context
  const path = pathOf(context)
  const { client } = await connect()
  const schedule = await client.read<Schedule>(path, { method: 'PATCH', body: { paused } })
  const now = paused ? 'is paused' : `runs ${toNextText(schedule)}`
  if (screen.isJson) screen.json(schedule)
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(schedule.name)} ${now}`)
  return exit.ok
}

async function run(context: CommandContext): Promise<number> {
  const { connect, screen } = context
  const path = pathOf(context)
  const { client } = await connect()
  const made = await client.read<ScheduleRun>(`${path}/run`, { method: 'POST' })
  if (screen.isJson) {
    screen.json(made)
    return exit.ok
  }
  if (made.error === undefined) screen.out(`${screen.style('green', '✓')} The run has begun`)
  else screen.out(`${screen.style('red', '✗')} ${toSafeLine(made.error.message)}`)
  if (made.callId !== undefined)
    screen.out(`→ toolcrib call --watch ${toSafeLine(made.callId)} shows what comes of it`)
  return exit.ok
}

async function remove(context: CommandContext): Promise<number> {
  const { connect, screen, words } = context
  const path = pathOf(context)
  const { client } = await connect()
  await client.send(path, { method: 'DELETE' })
  if (screen.isJson) screen.json({ id: words[1], deleted: true })
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(words[1] ?? '')} is gone`)
  return exit.ok
}

async function runs(context: CommandContext): Promise<number> {
  const { connect, options, screen } = context
  const path = pathOf(context)
  const limit = parseNumber(options, 'limit', { min: 1, max: 500 }) ?? 20
  const { client } = await connect()
  const page = await client.read<{ items: ScheduleRun[] }>(`${path}/runs`, { query: { limit } })
  if (screen.isJson) screen.json(page)
  else if (page.items.length === 0) screen.out('It has not run yet.')
  else showRuns(screen, page.items)
  return exit.ok
}

function pathOf({ words }: CommandContext): string {
  const id = words[1]
  if (id !== undefined) return `/schedules/${encodeURIComponent(id)}`
  throw usageError('Which schedule?', 'toolcrib schedules lists their ids.')
}
