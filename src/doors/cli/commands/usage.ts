import { usageGroupings } from '../../../core/usage/usage.ts'
import type { UsageRow } from '../../../core/usage/usage.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { showTable } from '../output/table.ts'

interface UsageAnswer {
  from: string
  to: string
  items: UsageRow[]
}

/** `toolcrib usage`: what was used, day by day or by whom. */
export const usageCommand: Command = {
  summary: 'Say what was used: calls, time, output and cost.',
  usage: ['usage [--by day|tool|agent|principal] [--from DAY] [--to DAY]'],
  options: {
    by: {
      type: 'string',
      value: 'WHAT',
      choices: usageGroupings,
      summary: 'one row for each of these (day)',
    },
    from: { type: 'string', value: 'DAY', summary: 'first day, 2026-03-01 (30 days ago)' },
    to: { type: 'string', value: 'DAY', summary: 'last day (today)' },
  },
  maxWords: 0,
  reads: true,
  notes: ['Calls count once they have settled, on the day in UTC. About a second behind.'],
  examples: ['toolcrib usage --by tool --from 2026-03-01 --to 2026-03-31'],
  async run(context) {
    const { connect, options, screen } = context
    const { client } = await connect()
    const by = options.text('by') ?? 'day'
    const query = { by, from: options.text('from'), to: options.text('to') }
    const answer = await client.read<UsageAnswer>('/usage', { query })
    if (screen.isJson) screen.json(answer)
    else show(context, by, answer)
    return exit.ok
  },
}

function show({ screen }: CommandContext, by: string, { from, to, items }: UsageAnswer): void {
  if (items.length === 0) return screen.out(`Nothing was used from ${from} to ${to}.`)
  const right = { align: 'right' } as const
  showTable(screen, {
    columns: [
      { title: by, shrinkTo: 12, style: (cell) => screen.style('cyan', cell) },
      { title: 'calls', ...right },
      { title: 'completed', ...right },
      { title: 'failed', ...right },
      { title: 'denied', ...right },
      { title: 'cancelled', ...right },
      { title: 'run', ...right },
      { title: 'output', ...right },
      { title: 'cost', ...right },
    ],
    rows: items.map((row) => [
      toSafeLine(row.name === undefined ? row.subject : `${row.name} (${row.subject})`),
      ...[row.calls, row.completed, row.failed, row.denied, row.cancelled].map(String),
      toTime(row.runMs),
      toSize(row.outputBytes),
      String(row.cost),
    ]),
  })
}

function toTime(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  const seconds = ms / 1000
  return seconds < 120 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`
}

function toSize(bytes: number): string {
  if (bytes < 10_000) return `${bytes} B`
  return bytes < 10_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1e6)} MB`
}
