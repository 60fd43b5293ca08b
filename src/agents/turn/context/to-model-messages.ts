import { convertToModelMessages, type ModelMessage, type ToolSet, type UIMessage } from 'ai'
import type { ConversationMessage } from '../../../core/conversations/conversation.ts'
import { isCallNotice } from '../../../doors/sdk/tool-output.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { toSendable } from './sendable-parts.ts'
import { workspacePathOf } from './file-url.ts'
import type { ShowFile } from './show-files.ts'
import type { ShowOutput } from './show-outputs.ts'
import { isAnswered, isToolPart, toJson, type Part, type ToolPart, readParts } from '../ui-parts.ts'

/**
 * Stored messages as a model reads them. How a call came to be allowed is our business: the model
 * gets calls and results, always both, and never an approval.
 */
export async function toModelMessages(
  messages: readonly ConversationMessage[],
  { tools, ...shows }: Shows & { tools: ToolSet },
): Promise<ModelMessage[]> {
  const shown = await Promise.all(
    messages.map(async (message, index) => ({
      role: message.role,
      parts: (
        await Promise.all(
          toSendable(readParts(message), { isLast: index + 1 === messages.length }).map(
            async (part) => [toWhole(await toShown(part, shows)), ...toPlace(part)],
          ),
        )
      ).flat(),
    })),
  )
  return convertToModelMessages(shown as unknown as UIMessage[], { tools })
}

interface Shows {
  showFile: ShowFile
  showOutput: ShowOutput
}

/**
 * The same with every text made of whole characters. Half of one is left where a text was cut, and
 * some send it; a provider refuses the whole conversation for it, now and ever after.
 */
function toWhole(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(toWhole)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key.toWellFormed(), toWhole(each)]),
  )
}

/** After a file: where the tools of the agent find it. */
function toPlace(part: Part): Part[] {
  const path = part.type === 'file' ? workspacePathOf(part) : undefined
  if (path === undefined) return []
  return [{ type: 'text', text: `(This file is in the workspace: ${JSON.stringify(path)})` }]
}

async function toShown(part: Part, { showFile, showOutput }: Shows): Promise<Part> {
  if (part.type === 'file') return showFile(part)
  if (!isToolPart(part)) return part
  const { approval, ...given } = part
  const output = part.output === undefined ? {} : { output: await showOutput(part) }
  const rest = noteEdit({ ...given, ...toInput(given), ...output }, part)
  if (part.state === 'output-denied') {
    const errorText = approval?.reason ?? 'A person rejected this call.'
    return { ...rest, state: 'output-error', errorText }
  }
  return isAnswered(part) || part.providerExecuted === true ? rest : unanswered(rest)
}

/**
 * Invalid JSON is kept as text; APIs that take arguments as text would otherwise get it quoted
 * twice.
 */
function toInput({ input }: Pick<ToolPart, 'input'>): Pick<ToolPart, 'input'> {
  if (input === undefined || isRecord(input)) return {}
  return { input: { unreadable: toJson(input) } }
}

const edited = 'A person changed the input of this call: it ran with the input shown now.'

/** The model's call shows the input it ran with, so its result mentions the edit. */
function noteEdit<Rest extends Part>(rest: Rest, { approval }: ToolPart): Rest {
  const { descriptor } = approval ?? {}
  if (!isRecord(descriptor) || descriptor['isEdited'] !== true) return rest
  const { output, errorText } = rest
  if (typeof errorText === 'string') return { ...rest, errorText: `${edited}\n${errorText}` }
  if (output === undefined || isCallNotice(output)) return rest
  return { ...rest, output: { $call: { status: 'completed', message: edited }, output } }
}

/** Should not be there; a provider refuses the whole conversation for one call without a result. */
function unanswered(part: ToolPart): ToolPart {
  return { ...part, input: part.input ?? {}, state: 'output-error', errorText: 'It was not run.' }
}
