import type { CallRecord } from '../../../core/kernel/call.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { showTable } from '../output/table.ts'
import { toLocalTime } from '../output/time-words.ts'
import { parseNumber, usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'
import { showCall } from './show-call.ts'

const statuses = ['queued', 'running', 'waiting', 'completed', 'failed', 'denied', 'cancelled']

/** `toolcrib calls`: what was called, what still runs or waits, and the way to stop it. */
export const callsCommand: Command = {
  summary: 'List calls, newest first, show one, and cancel those that have not ended.',
  usage: [
    'calls [list] [--status STATUS] [--tool TOOL] [--agent AGENT] [--limit N]',
    'calls show <callId>',
    'calls cancel <callId>',
  ],
  options: {
    status: { type: 'string', value: 'STATUS', choices: statuses, summary: statuses.join(', ') },
    tool: { type: 'string', value: 'TOOL', summary: 'only calls of this tool' },
    agent: { type: 'string', value: 'AGENT', summary: 'only calls by this agent' },
    limit: { type: 'string', value: 'N', summary: 'how many to list (30)' },
  },
  maxWords: 2,
  reads: ['', 'list', 'show'],
  firstWord: ['list', 'show', 'cancel'],
  notes: [
    'A call that waits for a person or a worker outside is cancelled with what it has asked for.',
  ],
  examples: [
    'toolcrib calls --status waiting',
    'toolcrib calls show call_0199…',
    'toolcrib calls cancel call_0199…',
    'toolcrib call --watch call_0199…',
  ],
  run: (context) => findAction('calls', { list, show: showCall, cancel }, context),
}

async function list({ connect, options, screen }: CommandContext): Promise<number> {
  const limit = parseNumber(options, 'limit', { min: 1, max: 500 }) ?? 30
  const [status, tool, agent] = ['status', 'tool', 'agent'].map((name) => options.text(name))
  const { client } = await connect()
  const page = await client.read<{ items: CallRecord[]; next?: string }>('/calls', {
    query: { status, tool, agent, limit },
  })
  if (screen.isJson) {
    screen.json(page)
    return exit.ok
  }
  if (page.items.length === 0) {
    screen.out('There are no such calls.')
    return exit.ok
  }
  showTable(screen, {
    columns: [
      { title: 'id', style: (cell) => screen.style('cyan', cell) },
      { title: 'tool', shrinkTo: 12 },
      { title: 'status', shrinkTo: 10 },
      { title: 'by', shrinkTo: 8 },
      { title: 'when' },
    ],
    rows: page.items.map((call) => [
      toSafeLine(call.callId),
      toSafeLine(call.tool),
      toSafeLine(statusOf(call)),
      toSafeLine(call.agent ?? `${call.principal.kind}:${call.principal.id}`),
      toLocalTime(call.requestedAt),
    ]),
  })
  if (page.next !== undefined) screen.err('! There are more; --limit 500 shows up to 500.')
  return exit.ok
}

/** What is worth knowing beside the status: why it failed, for whom it waits. */
function statusOf({ status, error, waitingFor }: CallRecord): string {
  if (waitingFor !== undefined) return `${status} for ${waitingFor}`
  return error === undefined || error.code === status ? status : `${status} ${error.code}`
}

async function cancel({ connect, words, screen }: CommandContext): Promise<number> {
  const id = words[1]
  if (id === undefined) {
    throw usageError('calls cancel needs the id of a call.', 'toolcrib calls lists them.')
  }
  const { client } = await connect()
  const call = await client.read<CallRecord>(`/calls/${encodeURIComponent(id)}/cancel`, {
    method: 'POST',
  })
  if (screen.isJson) screen.json(call)
  else screen.out(`${screen.style('cyan', toSafeLine(call.callId))} is ${toSafeLine(call.status)}.`)
  return exit.ok
}
