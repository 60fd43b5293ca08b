import { convertToModelMessages, type ModelMessage, type ToolSet, type UIMessage } from 'ai'
import type { ConversationMessage } from '../../core/conversations/conversation.ts'
import { isAnswered, isToolPart, type Part, type ToolPart } from './ui-parts.ts'

/** What a stored file is to the model: its bytes as a data URL; undefined when it is gone. */
export type ReadFile = (url: string) => Promise<string | undefined>

/**
 * Stored messages as a model reads them. How a call came to be allowed is our business: the model
 * gets calls and results, always both, and never an approval.
 */
export async function toModelMessages(
  messages: readonly ConversationMessage[],
  { tools, readFile }: { tools: ToolSet; readFile: ReadFile },
): Promise<ModelMessage[]> {
  const shown = await Promise.all(
    messages.map(async ({ role, parts }) => ({
      role,
      parts: await Promise.all((parts as unknown as Part[]).map((part) => toShown(part, readFile))),
    })),
  )
  return convertToModelMessages(shown as unknown as UIMessage[], { tools })
}

async function toShown(part: Part, readFile: ReadFile): Promise<Part> {
  if (part.type === 'file') return toFile(part, readFile)
  if (!isToolPart(part)) return part
  const { approval, ...rest } = part
  if (part.state === 'output-denied') {
    const errorText = approval?.reason ?? 'A person said no to this call.'
    return { ...rest, state: 'output-error', errorText }
  }
  return isAnswered(part) || part.providerExecuted === true ? rest : unanswered(rest)
}

/** Should not be there; a provider refuses the whole conversation for one call without a result. */
function unanswered(part: ToolPart): ToolPart {
  return { ...part, input: part.input ?? {}, state: 'output-error', errorText: 'It was not run.' }
}

async function toFile(part: Part, readFile: ReadFile): Promise<Part> {
  const url = await readFile(String(part['url']))
  if (url === undefined) return { type: 'text', text: '(a file that is not shown any more)' }
  return { ...part, url }
}
