import type { CallContext } from '../kernel/call.ts'
import type { CallResult } from '../kernel/call.ts'
import type { CodeProgram } from '../kernel/context/code.ts'
import { isToolError } from '../kernel/errors.ts'
import type { JsonValue } from '../kernel/json.ts'
import { toCallError } from '../pipeline/record/call-error.ts'
import { type ProgramCalls, runProgram } from './run-program.ts'

/** The result of a program. */
export interface ProgramResult {
  value: JsonValue
  logs: string[]
}

/** Runs a program in the call of a tool; each tool that it calls is a call below this one. */
export async function runInCall(
  program: Omit<CodeProgram, 'seed' | 'startedAt'>,
  ctx: CallContext,
): Promise<ProgramResult> {
  const logs: string[] = []
  const session = await ctx.code.open({ ...program, seed: ctx.callId })
  try {
    const calls = callsOf(ctx)
    const value = await runProgram(session, {
      calls,
      maxCalls: ctx.code.maxCalls,
      onLog: (line) => logs.push(line),
    })
    return { value, logs }
  } finally {
    session.close()
  }
}

function callsOf(ctx: CallContext): ProgramCalls {
  return {
    earlier: new Map(),
    call: ({ tool, input }) => callOnce(ctx, tool, input),
    busy: () => () => undefined,
  }
}

async function callOnce(ctx: CallContext, tool: string, input: JsonValue): Promise<CallResult> {
  try {
    const output = await ctx.call(tool, input)
    return { status: 'completed', output }
  } catch (error) {
    if (!isToolError(error)) throw error
    return { status: 'failed', error: toCallError(error) }
  }
}
