import { withKeptBytes } from '../../../doors/sdk/with-kept-bytes.ts'
import type { ConversationMessage } from '../../../core/conversations/conversation.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { isShown } from '../../../core/models/provider-apis.ts'
import { listKept } from '../../../core/pipeline/output/kept-bytes.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { ChosenModel } from '../../model-source.ts'
import type { TurnPorts } from '../turn-ports.ts'
import type { TurnWork } from '../turn-work.ts'
import { isToolPart, readParts, type ToolPart } from '../ui-parts.ts'

/** The output of a call as a model reads it. */
export type ShowOutput = (part: ToolPart) => Promise<unknown>

interface ShownOutputs extends Pick<TurnWork, 'turn'> {
  chosen: Pick<ChosenModel, 'provider'>
}

/** No provider takes more at once, and all of it is in memory while it is sent. */
const maxShownBytes = 20_971_520

/**
 * How the outputs of these messages are shown: stored pictures and files are inserted again, the
 * newest first and as many as a model accepts; the others are named.
 */
export function createShowOutput(
  messages: readonly ConversationMessage[],
  { turn, chosen }: ShownOutputs,
  ports: Pick<TurnPorts, 'readArtifact'>,
): ShowOutput {
  const { outputMedia } = chosen.provider
  const shown = new Set<string>()
  let left = maxShownBytes
  const parts = messages.flatMap(readParts)
  for (const { output } of parts.filter(isToolPart).toReversed()) {
    for (const { id, bytes, mediaType } of listKept(output)) {
      if (!isShown(mediaType, outputMedia) || bytes > left) continue
      shown.add(id)
      left -= bytes
    }
  }
  const reader: Parameters<typeof withKeptBytes>[0] = {
    readArtifact: async (callId, artifact) =>
      shown.has(artifact.id) ? ports.readArtifact(turn.tenant, callId, artifact) : undefined,
  }
  return async ({ output, toolMetadata }) => {
    const callId = isRecord(toolMetadata) ? toolMetadata['callId'] : undefined
    if (typeof callId !== 'string') return output
    return withKeptBytes(reader, { output: output as JsonValue, callId })
  }
}
