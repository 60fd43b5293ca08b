import { text } from 'node:stream/consumers'
import type { ChatAgent } from '../../../../core/conversations/conversation-api.ts'
import { isToolError, ToolError } from '../../../../core/kernel/errors.ts'
import { openAsking, type Asking } from '../../chat/open-asking.ts'
import {
  catchUp,
  findConversation,
  readConversation,
  takeTurn,
  type OpenChat,
  type TakenTurn,
} from '../../chat/take-turn.ts'
import type { Command, CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { toSafeText } from '../../output/safe-text.ts'
import { usageError } from '../../parse-options.ts'
import { showError, showToolError } from '../../show-error.ts'

/** `toolcrib chat`: chat with an agent. */
export const chatCommand: Command = {
  summary: 'Chat with an agent, and approve its calls.',
  usage: ['chat <agent> [message] [--conversation ID]'],
  options: {
    conversation: {
      type: 'string',
      value: 'ID',
      summary: 'continue this conversation (runs lists them)',
    },
    history: { type: 'boolean', summary: 'show the earlier messages' },
  },
  maxWords: 2,
  notes: [
    'Without a message it prompts for messages until Ctrl-D. Ctrl-C stops the turn.',
    'With - as the message, or without one and without a terminal, the message is read from stdin.',
    'If a call needs approval it asks here; without a terminal it lists what is pending and exits with 5.',
    'Pending approvals of a conversation are asked first; an answer in progress is shown as it continues.',
    'With --json every chunk of the stream and every message of the history is one line.',
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
    const chat: OpenChat = { context, client, agent, id, asking, answered, isLeftOpen: false }
    try {
      const isPast = context.options.flag('history') && chat.id !== undefined
      if (isPast) await showHistory(chat)
      if (given === undefined && asking !== undefined) return await converse(context, chat, asking)
      // Reading the history needs no terminal.
      if (given === undefined && isPast) return exit.ok
      const message = given === undefined || given === '-' ? await readMessage(context) : given
      return endCodes[await send(chat, message)]
    } finally {
      asking?.close()
    }
  },
}

async function readMessage({ environment }: CommandContext): Promise<string> {
  const message = (await text(environment.stdin)).trim()
  if (message !== '') return message
  throw usageError('This needs a terminal.', 'Pass a message, as a word or on stdin.')
}

const endCodes: Readonly<Record<TakenTurn, number>> = {
  completed: exit.ok,
  cancelled: exit.stopped,
  waiting: exit.stopped,
  failed: exit.failed,
}

/**
 * A message and its turn. Open approvals come first: until they are decided the server accepts no
 * message.
 */
async function send(chat: OpenChat, message: string): Promise<TakenTurn> {
  const found = chat.asking === undefined ? undefined : await findConversation(chat)
  if (found !== undefined && (await catchUp(chat, found)) === 'waiting') {
    chat.context.screen.err('Your message was not sent.')
    return 'waiting'
  }
  return takeTurn(chat, { message })
}

async function converse(
  context: CommandContext,
  chat: OpenChat,
  { askNext }: Asking,
): Promise<number> {
  await assertAgent(context, chat)
  const found = await findConversation(chat)
  let code: number = exit.ok
  if (found !== undefined) code = await attempt(context, () => catchUp(chat, found))
  for (;;) {
    const line = await askNext(`${chat.agent}> `)
    if (line === undefined || line.trim() === '/quit') return code
    if (line.trim() === '') continue
    code = await attempt(context, () => send(chat, line))
  }
}

/** Reports an unknown agent, or one that cannot answer, before anything is typed. */
async function assertAgent({ screen }: CommandContext, { client, agent }: OpenChat): Promise<void> {
  const found = (await client.all<ChatAgent>('/chat/agents')).find(({ slug }) => slug === agent)
  if (found === undefined) {
    throw new ToolError('not_found', `There is no agent ${agent} to chat with`, {
      fix: 'toolcrib agents lists them; toolcrib agents create creates one.',
    })
  }
  const { problem } = found
  if (problem !== undefined)
    showToolError(screen, new ToolError(problem.code, problem.message, problem))
}

/** A refusal is shown with its fix: the next message may be accepted. */
async function attempt(
  { screen, environment }: CommandContext,
  turn: () => Promise<TakenTurn | undefined>,
): Promise<number> {
  try {
    return endCodes[(await turn()) ?? 'completed']
  } catch (error) {
    if (!isToolError(error)) throw error
    return showError(screen, error, environment.env)
  }
}

async function showHistory(chat: OpenChat): Promise<void> {
  const { screen } = chat.context
  const { items } = await readConversation(chat, 1000)
  for (const message of items) {
    const texts = (message.parts as { type: string; text?: string }[]).flatMap((part) =>
      part.type === 'text' ? [part.text ?? ''] : [],
    )
    if (screen.isJson) screen.json(message)
    else screen.out(`${message.role === 'user' ? '>' : ' '} ${toSafeText(texts.join('\n'))}`)
  }
}
