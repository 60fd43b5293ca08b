import { text } from 'node:stream/consumers'
import type { TalkAgent } from '../../../core/conversations/talk-api.ts'
import { isToolError, ToolError } from '../../../core/errors.ts'
import { openAsking, type Asking } from '../chat/open-asking.ts'
import {
  catchUp,
  findConversation,
  readConversation,
  takeTurn,
  type Talk,
  type TurnEnd,
} from '../chat/take-turn.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeText } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'
import { showError, showToolError } from '../show-error.ts'

/** `toolcrib chat`: talk to an agent. */
export const chatCommand: Command = {
  summary: 'Talk to an agent, and answer what it asks.',
  usage: ['chat <agent> [message] [--conversation ID]'],
  options: {
    conversation: { type: 'string', value: 'ID', summary: 'go on with this one (runs lists them)' },
    history: { type: 'boolean', summary: 'show what was said before' },
  },
  maxWords: 2,
  notes: [
    'Without a message it asks for one after the other; Ctrl-D ends it. Ctrl-C stops the turn.',
    'With - as the message, or without one and without a terminal, the message is read from stdin.',
    'Where a call needs a person it asks here; without a terminal it says what waits and exits with 5.',
    'A conversation that waits for a person asks about that first; one that is answering is read along.',
    'With --json every chunk of the stream is a line, and so is every message of the history.',
  ],
  examples: [
    'toolcrib chat support',
    "toolcrib chat support 'run calc.roi with cost=100 gain=150'",
  ],
  async run(context) {
    const [agent, given] = context.words
    if (agent === undefined) throw usageError('Which agent?', 'Run: toolcrib chat <agent>')
    const { client } = await context.connect()
    const asking = openAsking(context.environment)
    const id = context.options.text('conversation')
    const answered = new Set<string>()
    const talk: Talk = { context, client, agent, id, asking, answered, isLeftOpen: false }
    try {
      const isPast = context.options.flag('history') && talk.id !== undefined
      if (isPast) await showHistory(talk)
      if (given === undefined && asking !== undefined) return await talkOn(context, talk, asking)
      // Somebody who only wants to read needs no terminal.
      if (given === undefined && isPast) return exit.ok
      const message = given === undefined || given === '-' ? await readMessage(context) : given
      return endCodes[await say(talk, message)]
    } finally {
      asking?.close()
    }
  },
}

async function readMessage({ environment }: CommandContext): Promise<string> {
  const message = (await text(environment.stdin)).trim()
  if (message !== '') return message
  throw usageError('There is nobody here to ask.', 'Give a message, on stdin if you like.')
}

const endCodes: Readonly<Record<TurnEnd, number>> = {
  completed: exit.ok,
  cancelled: exit.stopped,
  waiting: exit.stopped,
  failed: exit.failed,
}

/** A message and its turn. What is still open comes first: until then the server takes no message. */
async function say(talk: Talk, message: string): Promise<TurnEnd> {
  const found = talk.asking === undefined ? undefined : await findConversation(talk)
  if (found !== undefined && (await catchUp(talk, found)) === 'waiting') {
    talk.context.screen.err('Your message was not sent.')
    return 'waiting'
  }
  return takeTurn(talk, { message })
}

async function talkOn(context: CommandContext, talk: Talk, { askNext }: Asking): Promise<number> {
  await assertAgent(context, talk)
  const found = await findConversation(talk)
  let code: number = exit.ok
  if (found !== undefined) code = await attempt(context, () => catchUp(talk, found))
  for (;;) {
    const line = await askNext(`${talk.agent}> `)
    if (line === undefined || line.trim() === '/quit') return code
    if (line.trim() === '') continue
    code = await attempt(context, () => say(talk, line))
  }
}

/** Before anybody types: that nobody is there, or that it can't answer now. */
async function assertAgent({ screen }: CommandContext, { client, agent }: Talk): Promise<void> {
  const found = (await client.all<TalkAgent>('/chat/agents')).find(({ slug }) => slug === agent)
  if (found === undefined) {
    throw new ToolError('not_found', `There is no agent ${agent} to talk to`, {
      fix: 'toolcrib agents lists them; toolcrib agents create makes one.',
    })
  }
  const { problem } = found
  if (problem !== undefined)
    showToolError(screen, new ToolError(problem.code, problem.message, problem))
}

/** What is refused is said with its way out: the next message may be taken. */
async function attempt(
  { screen, environment }: CommandContext,
  turn: () => Promise<TurnEnd | undefined>,
): Promise<number> {
  try {
    return endCodes[(await turn()) ?? 'completed']
  } catch (error) {
    if (!isToolError(error)) throw error
    return showError(screen, error, environment.env)
  }
}

async function showHistory(talk: Talk): Promise<void> {
  const { screen } = talk.context
  const { items } = await readConversation(talk, 1000)
  for (const message of items) {
    const texts = (message.parts as { type: string; text?: string }[]).flatMap((part) =>
      part.type === 'text' ? [part.text ?? ''] : [],
    )
    if (screen.isJson) screen.json(message)
    else screen.out(`${message.role === 'user' ? '>' : ' '} ${toSafeText(texts.join('\n'))}`)
  }
}
