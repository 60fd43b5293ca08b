import type { Turn } from '../../../core/conversations/conversation.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import { estimateTokens, estimateValue } from './estimate-tokens.ts'
import { type ContextRequest, gatherContext, type TurnContext } from './gather-context.ts'
import { askModel, type StepResult } from '../model/model-step.ts'
import type { TurnPorts } from '../turn-ports.ts'
import { isToolPart, type Chunk } from '../ui-parts.ts'

/**
 * Asks the model with what of the conversation it can read. Where it can read less than is known of
 * it, it is asked once more with half of what it was sent.
 */
export async function askInWindow(request: ContextRequest, ports: TurnPorts): Promise<StepResult> {
  const written = new Set<string>()
  const write = (chunk: Chunk) => {
    // The second try is the same step.
    if (chunk.type === 'start-step' && written.has(chunk.type)) return
    written.add(chunk.type)
    request.log.write(chunk)
  }
  const context = await gatherContext(request, ports)
  try {
    return await ask({ ...request, context, write }, ports)
  } catch (error) {
    const isHandedOver = request.leaving.aborted && !request.signal.aborted
    // The next node repeats this step and finds its usage counted.
    if (isHandedOver && written.has('start-step')) request.log.tell({ type: 'reset-step' })
    const hasSpoken = [...written].some((type) => type !== 'start-step')
    if (hasSpoken || !isTooLong(error)) throw error
    const { chosen } = request
    const sent = estimateTokens(context.instructions) + estimateValue(context.messages)
    const windowTokens = Math.floor(Math.min(chosen.windowTokens, sent) / 2)
    const less = { ...request, chosen: { ...chosen, windowTokens } }
    return ask({ ...less, context: await gatherContext(less, ports), write }, ports)
  }
}

interface Asking extends ContextRequest {
  context: TurnContext
  write(chunk: Chunk): void
}

async function ask(asking: Asking, { limits }: TurnPorts): Promise<StepResult> {
  const { chosen, tools, turn, parts, context, spend, write } = asking
  const isLast = isLastOfChild(turn)
  const { instructions } = context
  const result = await askModel({
    chosen,
    ...context,
    instructions: isLast ? `${instructions}\n\n${sumUp}`.trim() : instructions,
    tools,
    mayCall: !isLast,
    signal: AbortSignal.any([asking.signal, asking.leaving]),
    limits,
    takenIds: new Set(parts.filter(isToolPart).map(({ toolCallId }) => toolCallId)),
    write,
    onCut: spend,
  })
  spend(result.usage)
  return result
}

/**
 * The caller of an agent cannot ask it to continue, so its last step is for reporting results. The
 * first step never is, because there is nothing to report yet.
 */
function isLastOfChild({ parentCallId, step, bounds }: Turn): boolean {
  return parentCallId !== undefined && step > 0 && step + 1 >= bounds.maxSteps
}

const sumUp =
  'This is your last step, and you can call no more tools. Report what you have found and done, and what is left to do.'

/** As the providers say it; none has a code of its own for it in every API. */
const tooLong =
  /context[ _-](?:length|window|size|limit)|(?:prompt|input) is too long|token count.{0,40}exceeds/i

function isTooLong(error: unknown): boolean {
  return isToolError(error) && error.code === 'model_failed' && tooLong.test(error.message)
}
