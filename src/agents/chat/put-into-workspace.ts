import type { Conversation } from '../../core/conversations/conversation.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { busy } from './begin-turn.ts'
import type { ConversationPorts } from './conversation-ports.ts'
import type { ChatIntent, SaidMessage } from './parse-chat.ts'
import type { SaidFile } from './parse-file.ts'

interface Talk {
  conversation: Conversation
  /** The caller of the turn's tools: their workspace is the one. */
  caller: Caller
}

type Beginning = Exclude<ChatIntent, { kind: 'answer' }>

/**
 * Puts the files of a message into the workspace if the agent is set so, and notes where. Before
 * the message is stored, so no stored message names a file that is missing; a request that is
 * repeated after a crash finds the files that it has put there.
 */
export async function putIntoWorkspace(
  intent: Beginning,
  { conversation, caller }: Talk,
  ports: ConversationPorts,
): Promise<Beginning> {
  if (intent.kind !== 'say') return intent
  const files = intent.message.parts.filter((part): part is SaidFile => part.type === 'file')
  if (files.length === 0) return intent
  const { tenant, id, agent } = conversation
  const settings = await ports.models.findAgent(tenant, agent)
  if (settings?.attachmentsToWorkspace !== true) return intent
  const known = await ports.store.findMessage(tenant, id, intent.message.id)
  if (known !== undefined && intent.replaces === undefined) return intent
  // A message that will be refused leaves no files behind.
  const turn = conversation.turnId && (await ports.store.findTurn(tenant, conversation.turnId))
  if (turn && turn.settledAt === undefined) throw await busy(turn, ports)
  const given = files.map(({ filename: name, mediaType, bytes }) => ({ name, mediaType, bytes }))
  const paths = await ports.keepAttachments(caller, given)
  const placed = new Map(files.map((file, index) => [file, paths[index]]))
  const parts: SaidMessage['parts'] = intent.message.parts.map((part) => {
    const workspacePath = part.type === 'file' ? placed.get(part) : undefined
    return workspacePath === undefined ? part : { ...part, workspacePath }
  })
  return { ...intent, message: { ...intent.message, parts } }
}
