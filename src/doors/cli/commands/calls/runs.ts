import type { Run } from '../../../../core/conversations/conversation-api.ts'
import { usageText } from '../../chat/usage-text.ts'
import type { Command, CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { counted } from '../../output/counted.ts'
import { toSafeLine, toSafeText } from '../../output/safe-text.ts'
import { showTable } from '../../output/table.ts'
import { parseNumber, usageError } from '../../parse-options.ts'
import { findAction } from '../../find-action.ts'

/** `toolcrib runs`: tasks of agents, and their turns in chats. */
export const runsCommand: Command = {
  summary: 'Give agents tasks, and list, show and cancel their runs.',
  usage: [
    'runs [list] [--agent AGENT] [--limit N]',
    'runs start <agent> <prompt> [--wait SECONDS]',
    'runs [show] <id> [--wait SECONDS]',
    'runs cancel <id>',
  ],
  options: {
    agent: { type: 'string', value: 'AGENT', summary: 'only runs of this agent' },
    limit: { type: 'string', value: 'N', summary: 'how many to show (20)' },
    wait: { type: 'string', value: 'SECONDS', summary: 'wait up to this long for its end' },
  },
  maxWords: 3,
  reads: ['', 'list', 'show'],
  firstWord: ['list', 'start', 'show', 'cancel'],
  examples: ["toolcrib runs start support 'Sum up the open tickets' --wait 60"],
  run: (context) =>
    context.words[0]?.startsWith('turn_') === true
      ? show({ ...context, words: ['show', ...context.words] })
      : findAction('runs', { list, start, show, cancel }, context),
}

async function list({ connect, screen, options }: CommandContext): Promise<number> {
  const { client } = await connect()
  const limit = parseNumber(options, 'limit', { min: 1, max: 500 }) ?? 20
  const query = { limit, agent: options.text('agent') }
  const { items } = await client.read<{ items: Run[] }>('/runs', { query })
  if (screen.isJson) screen.json({ items })
  else if (items.length === 0) screen.out('No runs. → toolcrib chat AGENT')
  else {
    showTable(screen, {
      columns: [
        { title: 'run' },
        { title: 'agent' },
        { title: 'status' },
        { title: 'steps' },
        { title: 'tokens' },
        { title: 'conversation' },
      ],
      rows: items.map(({ id, agent, status, steps, usage, conversationId }) => [
        id,
        agent,
        status,
        String(steps),
        tokensText(usage),
        conversationId,
      ]),
    })
  }
  return exit.ok
}

/** The tokens of interrupted answers are an estimate, if known at all. */
function tokensText({ inputTokens, outputTokens, cutOffCalls }: Run['usage']): string {
  const tokens = inputTokens + outputTokens
  if (cutOffCalls === undefined) return String(tokens)
  return tokens === 0 ? 'not known' : `about ${tokens}`
}

async function start(context: CommandContext): Promise<number> {
  const [, agent, prompt] = context.words
  if (agent === undefined || prompt === undefined) {
    throw usageError(
      'The agent or the prompt is missing.',
      'Write toolcrib runs start <agent> <prompt>',
    )
  }
  const { client } = await context.connect()
  const path = `/agents/${encodeURIComponent(agent)}/runs`
  const run = await client.read<Run>(path, { method: 'POST', body: { prompt } })
  return follow(context, run)
}

async function show(context: CommandContext): Promise<number> {
  const { client } = await context.connect()
  return follow(context, await client.read<Run>(`/runs/${idOf(context)}`))
}

async function cancel(context: CommandContext): Promise<number> {
  const { client } = await context.connect()
  const run = await client.read<Run>(`/runs/${idOf(context)}/cancel`, { method: 'POST' })
  return showRun(context, run)
}

/** How often to check whether a run waits for approval. */
const waitSeconds = 3

/** Waits for as long as `--wait` allows, in steps that the server accepts. */
async function follow(context: CommandContext, first: Run): Promise<number> {
  const { client, kind } = await context.connect()
  const seconds = parseNumber(context.options, 'wait', { min: 0, max: 86_400 }) ?? 0
  const until = Date.now() + seconds * 1000
  const shown = new Set<string>()
  let run = first
  while (run.settledAt === undefined && Date.now() < until) {
    // The person waiting here may be the one who can approve.
    showWaiting(context, run, shown)
    const wait = Math.min(waitSeconds, Math.ceil((until - Date.now()) / 1000))
    run = await client.read<Run>(`/runs/${run.id}`, { query: { wait } })
  }
  const code = showRun(context, run, shown)
  if (run.settledAt === undefined && kind === 'local' && !context.screen.isJson)
    context.screen.err('! No server is running here; agents need one: toolcrib start')
  return code
}

function showWaiting({ screen }: CommandContext, { waiting = [] }: Run, shown: Set<string>): void {
  for (const { id, tool } of screen.isJson ? [] : waiting) {
    if (shown.has(id)) continue
    shown.add(id)
    screen.err(`${toSafeLine(tool)} waits for approval. → toolcrib approve ${id}`)
  }
}

function showRun(context: CommandContext, run: Run, shown = new Set<string>()): number {
  const { screen } = context
  if (screen.isJson) screen.json(run)
  else {
    screen.out(
      `${run.id} ${run.status} after ${counted(run.steps, 'step')}, ${usageText(run.usage)}`,
    )
    // A run cancelled before its first word has an empty answer.
    if (run.output !== undefined && run.output !== '') screen.out(toSafeText(run.output))
    if (run.error !== undefined) screen.err(toSafeLine(`${run.error.code}: ${run.error.message}`))
    if (run.error?.fix !== undefined) screen.err(`→ ${toSafeText(run.error.fix)}`)
    showWaiting(context, run, shown)
  }
  if (run.status === 'failed') return exit.failed
  return run.status === 'cancelled' || run.status === 'waiting' ? exit.stopped : exit.ok
}

function idOf({ words }: CommandContext): string {
  const [, id] = words
  if (id !== undefined) return encodeURIComponent(id)
  throw usageError('The id is missing.', 'Write toolcrib runs show <id>')
}
