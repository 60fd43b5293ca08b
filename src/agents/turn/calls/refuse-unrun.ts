import type { TurnLimits } from '../turn-ports.ts'
import { openCalls, type Chunk, type Part } from '../ui-parts.ts'

/** Other words of a server than the usual ones say nothing about a call that came whole. */
const cutReasons: ReadonlySet<string> = new Set(['length', 'content-filter', 'error'])

/** An answer that was cut off may have cut a call in half; and nobody needs thousands at once. */
export function refuseUnrun(
  { parts, write }: { parts: readonly Part[]; write(chunk: Chunk): void },
  finishReason: string,
  { callsPerStep }: Pick<TurnLimits, 'callsPerStep'>,
): void {
  const mayRun = !cutReasons.has(finishReason)
  for (const [index, part] of openCalls(parts).entries()) {
    const isWhole = mayRun && part.state === 'input-available'
    if (isWhole && index < callsPerStep) continue
    const why = isWhole
      ? `at most ${callsPerStep} calls can be made at once; ask again`
      : `the answer ended early (${finishReason}).`
    write({
      type: 'tool-output-error',
      toolCallId: part.toolCallId,
      errorText: `It was not run: ${why}`,
    })
  }
}
