import type { PastDecision } from '../../../../features/explain/schemas.ts'
import type { SessionFlag } from '../../../../core/flow/session-flags.ts'
import type { Explanation } from '../../../../core/policy/scope.ts'
import type { Command, CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { showAll, showFlags, showOne } from './show-explanation.ts'
import { showPast } from './show-past.ts'

/** `toolcrib explain`: which layer hides a tool or asks before it runs, who made the rule, and what would change it. */
export const explainCommand: Command = {
  summary:
    'Show who can use which tool, which layer stops it, who set that, and what would change it.',
  usage: [
    'explain [--agent AGENT [--skill SKILL]] [--runtime RUNTIME] [--as WHO] [--session SESSION]',
    'explain --tool TOOL [--agent AGENT] …',
    'explain ref_…|call_…   (why it was refused or how it was decided, and how it would be now)',
  ],
  options: {
    agent: { type: 'string', value: 'AGENT', summary: 'see as this agent' },
    skill: { type: 'string', value: 'SKILL', summary: 'with this skill of the agent active' },
    tool: { type: 'string', value: 'TOOL', summary: 'one tool, with the verdict of every layer' },
    runtime: {
      type: 'string',
      value: 'RUNTIME',
      summary: 'as in this runtime: chat, task, api, …',
    },
    as: {
      type: 'string',
      value: 'WHO',
      summary: 'as somebody else: role:viewer, key:ID or member:ID',
    },
    session: {
      type: 'string',
      value: 'SESSION',
      summary: 'with the flags of this session (the data-flow rule)',
    },
  },
  maxWords: 1,
  reads: true,
  firstWord: 'tools',
  examples: [
    'toolcrib explain --agent support',
    'toolcrib explain --agent support --tool billing.refund',
    'toolcrib explain --as role:viewer',
  ],
  async run(context) {
    const [word] = context.words
    const isPast = word !== undefined && /^(?:ref|call)_/.test(word)
    return isPast ? explainPast(context, word) : explainTools(context)
  },
}

async function explainTools({ connect, options, words, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const tool = options.text('tool') ?? words[0]
  const session = options.text('session')
  const answer = await client.read<{ items: Explanation[]; flags?: SessionFlag[] }>('/explain', {
    query: {
      agent: options.text('agent'),
      skill: options.text('skill'),
      runtime: options.text('runtime'),
      as: options.text('as'),
      session,
      tool,
    },
  })
  if (screen.isJson) {
    screen.json(answer)
    return exit.ok
  }
  if (session !== undefined) showFlags(screen, session, answer.flags ?? [])
  if (tool === undefined) showAll(screen, answer.items)
  else for (const item of answer.items) showOne(screen, item)
  return exit.ok
}

async function explainPast({ connect, screen }: CommandContext, id: string): Promise<number> {
  const { client } = await connect()
  const past = await client.read<PastDecision>(`/explain/${encodeURIComponent(id)}`)
  if (screen.isJson) screen.json(past)
  else showPast(screen, past)
  return exit.ok
}
