import type { CallContext, CallResult } from '../kernel/call.ts'
import type { CodeProgram } from '../kernel/context/code.ts'
import type { StepCalls } from '../kernel/context/step-calls.ts'
import { isToolError } from '../kernel/errors.ts'
import type { JsonValue } from '../kernel/json.ts'
import { toCallError } from '../pipeline/record/call-error.ts'
import { type ProgramCalls, runProgram } from './run-program.ts'

/** The result of a program. */
export interface ProgramResult {
  value: JsonValue
  logs: string[]
}

/**
 * Runs a program in the call of a resumable tool; each tool that it calls is a step of that call. So
 * it survives waits and crashes: it is run from the beginning, and its steps return their recorded
 * results.
 */
export async function runInCall(
  program: Omit<CodeProgram, 'seed' | 'startedAt'>,
  ctx: CallContext,
  steps: StepCalls | undefined,
): Promise<ProgramResult> {
  const logs: string[] = []
  const startedAt = steps && { startedAt: steps.requestedAt }
  const running = await ctx.code.open({ ...program, seed: ctx.callId, ...startedAt })
  try {
    const value = await runProgram(running, {
      calls: steps ?? toCalls(ctx),
      maxCalls: ctx.code.maxCalls,
      onLog: (line) => logs.push(line),
    })
    return { value, logs }
  } finally {
    running.close()
  }
}

/** Where nothing is recorded, such as in a test of the tool by itself. */
function toCalls(ctx: CallContext): ProgramCalls {
  return {
    earlier: new Map(),
    call: ({ tool, input }) => callOnce(ctx, tool, input),
    busy: () => () => undefined,
  }
}

async function callOnce(ctx: CallContext, tool: string, input: JsonValue): Promise<CallResult> {
  try {
    return { status: 'completed', output: await ctx.call(tool, input) }
  } catch (error) {
    if (!isToolError(error)) throw error
    return { status: 'failed', error: toCallError(error) }
  }
}
