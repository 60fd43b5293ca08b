import { isToolError } from '../../../core/errors.ts'
import { openAsking, type Asking } from '../chat/open-asking.ts'
import {
  answerWaiting,
  findWaiting,
  readConversation,
  takeTurn,
  type Talk,
  type TurnEnd,
} from '../chat/take-turn.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeText } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'
import { showError } from '../show-error.ts'

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
    'Where a call needs a person it asks here; without a terminal it says what waits and exits with 5.',
    'A conversation that waits for a person asks about that first.',
    'With --json every chunk of the stream is a line, and so is every message of the history.',
  ],
  examples: [
    'toolcrib chat support',
    "toolcrib chat support 'run calc.roi with cost=100 gain=150'",
  ],
  async run(context) {
    const [agent, message] = context.words
    if (agent === undefined) throw usageError('Which agent?', 'Run: toolcrib chat <agent>')
    const { client } = await context.connect()
    const asking = openAsking(context.environment)
    const talk: Talk = { context, client, agent, id: context.options.text('conversation'), asking }
    try {
      const isPast = context.options.flag('history') && talk.id !== undefined
      if (isPast) await showHistory(talk)
      if (message !== undefined) return await sayOne(talk, message)
      if (asking !== undefined) return await talkOn(context, talk, asking)
      // Somebody who only wants to read needs no terminal.
      if (isPast) return exit.ok
      throw usageError('There is nobody here to ask.', 'Give a message.')
    } finally {
      asking?.close()
    }
  },
}

const endCodes: Readonly<Record<TurnEnd, number>> = {
  completed: exit.ok,
  cancelled: exit.stopped,
  waiting: exit.stopped,
  failed: exit.failed,
}

/** One message and its turn. What waits comes first: until then the server takes no message. */
async function sayOne(talk: Talk, message: string): Promise<number> {
  const waiting = talk.asking === undefined ? [] : await findWaiting(talk)
  if (waiting.length > 0 && (await answerWaiting(talk, waiting)) === 'waiting') {
    talk.context.screen.err('Your message was not sent.')
    return endCodes.waiting
  }
  return endCodes[await takeTurn(talk, { message })]
}

async function talkOn(context: CommandContext, talk: Talk, { ask }: Asking): Promise<number> {
  const waiting = await findWaiting(talk)
  let code: number = exit.ok
  if (waiting.length > 0) code = await attempt(context, () => answerWaiting(talk, waiting))
  for (;;) {
    const line = await ask(`${talk.agent}> `)
    if (line === undefined || line.trim() === '/quit') return code
    if (line.trim() === '') continue
    code = await attempt(context, () => takeTurn(talk, { message: line }))
  }
}

/** What is refused is said with its way out: the next message may be taken. */
async function attempt(
  { screen, environment }: CommandContext,
  turn: () => Promise<TurnEnd>,
): Promise<number> {
  try {
    return endCodes[await turn()]
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
