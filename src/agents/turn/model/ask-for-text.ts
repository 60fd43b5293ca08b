import type { ModelMessage } from 'ai'
import type { JsonSchema } from '../../../core/kernel/json.ts'
import type { TurnUsage } from '../../../core/conversations/conversation.ts'
import type { ChosenModel } from '../../model-source.ts'
import { askModel } from './model-step.ts'
import type { TurnLimits } from '../turn-ports.ts'

export interface TextRequest {
  chosen: ChosenModel
  instructions: string
  prompt: string
  /** Earlier answers, each with a remark. */
  tries?: readonly { answer: string; remark: string }[] | undefined
  outputSchema?: JsonSchema | undefined
  onText?: ((text: string) => void) | undefined
  maxOutputTokens?: number | undefined
  signal: AbortSignal
  limits: TurnLimits
  /** Receives the usage of every answer, also one that was cut off. */
  spend(usage: TurnUsage): void
}

/** Asks a model for a text and nothing else, with the patience that a turn has. Throws `model_failed`. */
export async function askForText(request: TextRequest): Promise<string> {
  const { prompt, tries = [], spend, onText, ...rest } = request
  let text = ''
  const { usage } = await askModel({
    ...rest,
    // The cut may have split a character, and providers refuse half of one.
    instructions: request.instructions.toWellFormed(),
    messages: [
      { role: 'user', content: prompt.toWellFormed() },
      ...tries.flatMap(({ answer, remark }): ModelMessage[] => [
        { role: 'assistant', content: answer.toWellFormed() },
        { role: 'user', content: remark.toWellFormed() },
      ]),
    ],
    tools: {},
    mayCall: true,
    takenIds: new Set(),
    write({ type, delta }) {
      if (type !== 'text-delta') return
      const piece = String(delta)
      text += piece
      onText?.(piece)
    },
    onCut: spend,
  })
  spend(usage)
  return text
}
