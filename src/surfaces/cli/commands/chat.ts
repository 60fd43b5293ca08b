import { createInterface } from 'node:readline/promises'
import type { ChatRequest, ConversationDetail } from '../../../core/conversations/talk-api.ts'
import { askApprovals, type AskLine } from '../chat/ask-approvals.ts'
import { createTurnScreen, type ShownChunk } from '../chat/show-turn.ts'
import type { HttpClient } from '../client/http-client.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeText } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'

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
    'With --json every chunk of the stream is a line.',
  ],
  examples: [
    'toolcrib chat support',
    "toolcrib chat support 'run calc.roi with cost=100 gain=150'",
  ],
  async run(context) {
    const [agent, message] = context.words
    if (agent === undefined) throw usageError('Which agent?', 'Run: toolcrib chat <agent>')
    const { client } = await context.connect()
    const talk: Talk = { context, client, agent, id: context.options.text('conversation') }
    if (context.options.flag('history') && talk.id !== undefined) await showHistory(talk)
    const asking = openAsking(context)
    try {
      if (message !== undefined) return await takeTurn(talk, { message }, asking.ask)
      if (asking.ask === undefined)
        throw usageError('There is nobody here to ask.', 'Give a message.')
      return await talkOn(talk, asking.ask)
    } finally {
      asking.close()
    }
  },
}

interface Talk {
  context: CommandContext
  client: HttpClient
  agent: string
  /** Known from the first turn on. */
  id: string | undefined
}

async function talkOn(talk: Talk, ask: AskLine): Promise<number> {
  let code: number = exit.ok
  for (;;) {
    const line = await ask(`${talk.agent}> `)
    if (line === undefined || line.trim() === '/quit') return code
    if (line.trim() === '') continue
    code = await takeTurn(talk, { message: line }, ask)
  }
}

/** One turn with all that is asked in it. */
async function takeTurn(
  talk: Talk,
  request: ChatRequest,
  ask: AskLine | undefined,
): Promise<number> {
  let next: ChatRequest | undefined = request
  let status: string | undefined
  while (next !== undefined) {
    status = await readTurn(talk, next)
    const { id, client } = talk
    if (status !== undefined || id === undefined) break
    const { waiting } = await client.read<ConversationDetail>(`/conversations/${id}`, {
      query: { limit: 1 },
    })
    const { screen } = talk.context
    const answers = ask === undefined ? [] : await askApprovals(waiting, screen, ask)
    if (answers.length === 0) {
      for (const { id: approval, tool } of waiting) {
        screen.err(`${tool} waits for a person. → toolcrib approve ${approval}`)
      }
      screen.err(`→ toolcrib chat ${talk.agent} --conversation ${id}`)
      return exit.stopped
    }
    next = { approvals: answers }
  }
  if (status === 'completed') return exit.ok
  return status === 'cancelled' ? exit.stopped : exit.failed
}

/** Shows a turn until it ends (its status), or waits for a person (nothing). */
async function readTurn(talk: Talk, request: ChatRequest): Promise<string | undefined> {
  const { context, client, agent } = talk
  const { screen, environment } = context
  const body = talk.id === undefined ? request : { ...request, id: talk.id }
  const path = `/agents/${encodeURIComponent(agent)}/chat`
  const show = createTurnScreen(screen)
  let turnId: string | undefined
  const stopHearing = environment.onSignal(() => {
    if (turnId !== undefined) void cancel(client, turnId)
  })
  let status: string | undefined
  try {
    for await (const { text } of await client.stream(path, { method: 'POST', body })) {
      if (text === '[DONE]') break
      const chunk = JSON.parse(text) as ShownChunk
      const { messageMetadata } = chunk
      turnId ??= messageMetadata?.turnId
      talk.id ??= messageMetadata?.conversationId
      status = messageMetadata?.status ?? status
      if (screen.isJson) screen.json(chunk)
      else show(chunk)
    }
  } finally {
    stopHearing()
  }
  return status
}

/** It may have ended meanwhile, and then there is nothing to stop. */
async function cancel(client: HttpClient, turnId: string): Promise<void> {
  await client.send(`/runs/${turnId}/cancel`, { method: 'POST' }).catch(() => undefined)
}

async function showHistory({ context, client, id }: Talk): Promise<void> {
  const { items } = await client.read<ConversationDetail>(`/conversations/${id}`, {
    query: { limit: 1000 },
  })
  for (const { role, parts } of items) {
    const texts = (parts as { type: string; text?: string }[]).flatMap((part) =>
      part.type === 'text' ? [part.text ?? ''] : [],
    )
    context.screen.out(`${role === 'user' ? '>' : ' '} ${toSafeText(texts.join('\n'))}`)
  }
}

/** Lines of whoever sits at the other end; no way to ask where nobody does. */
function openAsking({ environment }: CommandContext): { ask?: AskLine; close(): void } {
  if ((environment.stdin as { isTTY?: boolean }).isTTY !== true) return { close: () => undefined }
  const reader = createInterface({ input: environment.stdin, output: environment.stderr })
  const gone = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)))
  return {
    ask: (question) => Promise.race([reader.question(question).catch(() => undefined), gone]),
    close: () => reader.close(),
  }
}
