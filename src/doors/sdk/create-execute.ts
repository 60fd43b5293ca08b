import type { ModelMessage } from 'ai'
import type { CallOutput } from '../../core/kernel/call-request.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { OfferedTool } from '../../core/offer/tool-offer.ts'
import { endsWithAnswer, isApprovedIn } from './history.ts'
import { toToolOutput } from './tool-output.ts'
import type { SdkRun } from './tool-run.ts'

/** The SDK's context of a tool call. */
interface ExecuteOptions {
  toolCallId: string
  messages: readonly ModelMessage[]
  abortSignal?: AbortSignal | undefined
}

type Execute = (
  input: unknown,
  options: ExecuteOptions,
) => Promise<JsonValue> | AsyncIterable<JsonValue>

/** Makes the functions by which the SDK runs tools. */
export function createExecute(run: SdkRun, tellsPartials: boolean): (tool: OfferedTool) => Execute {
  return (tool) => {
    const start = (
      input: unknown,
      options: ExecuteOptions,
      onOutput?: (output: CallOutput) => void,
    ) =>
      run.run({
        tool,
        input,
        toolCallId: options.toolCallId,
        isApproved: isApproved(tool, options),
        signal: options.abortSignal,
        ...(onOutput && { onOutput }),
      })
    if (tellsPartials)
      return (input, options) => stream((onOutput) => start(input, options, onOutput))
    return async (input, options) => toToolOutput(await start(input, options))
  }
}

/** Also of a tool that nobody is asked about: its name may have been another's when somebody was. */
function isApproved(tool: OfferedTool, { messages, toolCallId }: ExecuteOptions): boolean {
  return (tool.mayAsk || endsWithAnswer(messages)) && isApprovedIn(messages, toolCallId)
}

/** Partial outputs as they come, and the result last: the SDK takes the last one for the result. */
async function* stream(
  start: (onOutput: (output: CallOutput) => void) => ReturnType<SdkRun['run']>,
): AsyncGenerator<JsonValue> {
  const told = { partials: [] as JsonValue[], wake: () => undefined as void, isOver: false }
  const outcome = start((output) => {
    if ('partial' in output) told.partials.push(output.partial)
    told.wake()
  }).finally(() => {
    told.isOver = true
    told.wake()
  })
  while (!told.isOver) {
    // Only the newest: each stands for the whole output so far.
    const next = told.partials.splice(0).at(-1)
    if (next !== undefined) yield next
    else await new Promise<void>((resolve) => (told.wake = resolve))
  }
  yield toToolOutput(await outcome)
}
