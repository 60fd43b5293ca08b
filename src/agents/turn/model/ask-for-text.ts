import type { TurnUsage } from '../../../core/conversations/conversation.ts'
import type { ChosenModel } from '../../model-source.ts'
import { askModel } from './model-step.ts'
import type { TurnLimits } from '../turn-ports.ts'

export interface TextRequest {
  chosen: ChosenModel
  instructions: string
  prompt: string
  maxOutputTokens?: number | undefined
  signal: AbortSignal
  limits: TurnLimits
  /** Told what every answer took, also one that was cut off. */
  spend(usage: TurnUsage): void
}

/** Asks a model for a text and nothing else, with the patience that a turn has. Throws `model_failed`. */
export async function askForText(request: TextRequest): Promise<string> {
  const { prompt, spend, ...rest } = request
  let text = ''
  const { usage } = await askModel({
    ...rest,
    // Whoever cut it may have cut a character in half, which is no text to a provider.
    instructions: request.instructions.toWellFormed(),
    messages: [{ role: 'user', content: prompt.toWellFormed() }],
    tools: {},
    mayCall: true,
    takenIds: new Set(),
    write({ type, delta }) {
      if (type === 'text-delta') text += String(delta)
    },
    onCut: spend,
  })
  spend(usage)
  return text
}
