import { convertToModelMessages, type ModelMessage, type ToolSet, type UIMessage } from 'ai'
import type { ConversationMessage } from '../../core/conversations/conversation.ts'
import type { ShowFile } from './show-files.ts'
import { isAnswered, isToolPart, type Part, type ToolPart } from './ui-parts.ts'

/**
 * Stored messages as a model reads them. How a call came to be allowed is our business: the model
 * gets calls and results, always both, and never an approval.
 */
export async function toModelMessages(
  messages: readonly ConversationMessage[],
  { tools, showFile }: { tools: ToolSet; showFile: ShowFile },
): Promise<ModelMessage[]> {
  const shown = await Promise.all(
    messages.map(async ({ role, parts }) => ({
      role,
      parts: await Promise.all((parts as unknown as Part[]).map((part) => toShown(part, showFile))),
    })),
  )
  return convertToModelMessages(shown as unknown as UIMessage[], { tools })
}

async function toShown(part: Part, showFile: ShowFile): Promise<Part> {
  if (part.type === 'file') return showFile(part)
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
