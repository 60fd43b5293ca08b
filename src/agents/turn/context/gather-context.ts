import type { ModelMessage, ToolSet } from 'ai'
import type {
  ConversationMessage,
  StoredMessage,
  TurnUsage,
} from '../../../core/conversations/conversation.ts'
import type { AgentSettings, ChosenModel } from '../../model-source.ts'
import { compact } from './compact.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { shortenResults } from './shorten-results.ts'
import { createShowFile } from './show-files.ts'
import { createShowOutput } from './show-outputs.ts'
import type { TurnWork } from '../turn-work.ts'
import { toModelMessages } from './to-model-messages.ts'
import type { TurnPorts } from '../turn-ports.ts'
import { toJson } from '../ui-parts.ts'

export interface ContextRequest extends TurnWork {
  agent: AgentSettings
  chosen: ChosenModel
  tools: ToolSet
  /** Receives the usage of every answer, also one that was cut off. */
  spend(usage: TurnUsage): void
}

export interface TurnContext {
  instructions: string
  messages: ModelMessage[]
}

const pageOfMessages = 500

/**
 * The messages that the model reads: the conversation, with a summary in place of those that would
 * not fit.
 */
export async function gatherContext(
  request: ContextRequest,
  ports: TurnPorts,
): Promise<TurnContext> {
  const { turn, parts, chosen, agent, tools } = request
  const summary =
    request.standIn.current ?? (await ports.store.findCompaction(turn.tenant, turn.conversationId))
  const stored = await readMessages(request, summary?.upTo ?? 0, ports)
  const own = { role: 'assistant' as const, id: turn.messageId, parts: toJson(parts) as never }
  const before = stored.filter(({ id }) => id !== turn.messageId)
  const fixed = estimateTokens(agent.instructions) + estimateTokens(toolFacts(tools))
  const room = Math.floor(chosen.windowTokens * ports.limits.compactAt) - fixed
  const compacted = await compact({ ...request, before, own, room, summary }, ports)
  const all = [...compacted.messages, ...(parts.length > 0 ? [own] : [])]
  const messages = shortenResults(withSummary(all, compacted.note), room)
  const showFile = await createShowFile(messages, request, ports)
  const showOutput = createShowOutput(messages, request, ports)
  const shown = await toModelMessages(messages, { tools, showFile, showOutput })
  return {
    instructions: agent.instructions,
    messages: parts.length > 0 ? shown : withoutLastWord(shown),
  }
}

/**
 * An interrupted answer without a later message is requested again: many models refuse a
 * conversation that ends with their own words, and others only finish the sentence.
 */
function withoutLastWord(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.slice(0, messages.findLastIndex(({ role }) => role !== 'assistant') + 1)
}

/**
 * Together with the person's next message: some models refuse two messages of one side in a row.
 */
function withSummary(
  messages: readonly ConversationMessage[],
  note: string | undefined,
): readonly ConversationMessage[] {
  if (note === undefined) return messages
  const summary = { type: 'text', text: note }
  const [first, ...rest] = messages
  if (first?.role === 'user') return [{ ...first, parts: [summary, ...first.parts] }, ...rest]
  return [{ id: 'summary', role: 'user', parts: [summary] }, ...messages]
}

/** As much of the tools as goes to the model with every step. */
function toolFacts(tools: ToolSet): string {
  const names = Object.keys(tools)
  // Exact enough: a tool is a description and a schema, and measuring each would cost more than it
  // is worth.
  const sizes = names.map((name) => (tools[name]?.description?.toString().length ?? 0) + 400)
  return ' '.repeat(sizes.reduce((sum, size) => sum + size, 0))
}

async function readMessages(
  { turn }: ContextRequest,
  upTo: number,
  { store }: TurnPorts,
): Promise<StoredMessage[]> {
  const all: StoredMessage[] = []
  let after = upTo
  for (;;) {
    const page = await store.listMessages(turn.tenant, turn.conversationId, {
      after,
      limit: pageOfMessages,
    })
    all.push(...page)
    if (page.length < pageOfMessages) return all
    after = page.at(-1)?.position ?? after
  }
}
