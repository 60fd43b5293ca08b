import type { Caller, CallResult } from '../../kernel/call.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { JsonValue } from '../../kernel/json.ts'
import { codeTool, isMetaTool } from '../../kernel/meta-tools.ts'
import { decide } from '../../policy/decide.ts'
import type { RegisteredTool } from '../../registry.ts'
import { unwrapCall } from '../../search/unwrap-call.ts'
import { emptyRedactor } from '../../secrets/redact.ts'
import { hideSecretFields } from '../../secrets/secret-fields.ts'
import { toolNotFound } from '../../explain/refusals.ts'
import type { EvaluatedCall } from '../../trials/evals/eval-outcome.ts'
import { toJsonValue } from '../output/to-json-value.ts'
import type { PipelinePorts } from '../ports.ts'
import { presentError, toCallError } from '../record/call-error.ts'
import { refuseEffect, type Shield, type ShieldedCall, type ShieldedEffect } from './shield.ts'

/** A call that a model asks for in an eval. */
export interface EvalCallRequest {
  tool: string
  input: unknown
  caller: Caller
  given?: Readonly<Record<string, JsonValue>> | undefined
  signal: AbortSignal
}

/** The result for the model, and the calls to judge: several for a program, none for a search. */
export interface EvalCallAnswer {
  result: CallResult
  made: EvaluatedCall[]
}

/**
 * A call of a model in an eval: answered with what is given for it, run if it only reads, otherwise
 * previewed or refused. Never rejects.
 */
export async function callForEval(
  asked: EvalCallRequest,
  ports: PipelinePorts,
): Promise<EvalCallAnswer> {
  const find = (name: string) => ports.registry.find(name, asked.caller.tenant)
  try {
    const request = unwrapCall(asked, (name) => find(name)?.contract.name)
    const entry = find(request.tool)
    const tool = entry?.contract.name ?? request.tool
    if (isMetaTool(tool)) return { result: await call({ ...request, tool }, ports), made: [] }
    if (tool === codeTool) return await runProgram({ ...request, tool }, ports)
    const isGiven = asked.given !== undefined && Object.hasOwn(asked.given, tool)
    const refusal = isGiven ? await findRefusal(entry, { ...request, tool }, ports) : undefined
    const result = refusal ?? (await call({ ...request, tool }, ports))
    return { result, made: [toMade({ tool, input: request.input }, result, entry)] }
  } catch (error) {
    const result = toFailure(error)
    return { result, made: [toMade(asked, result, undefined)] }
  }
}

/** A call below the eval: policy, schema and the shield apply as to any nested call. */
async function call(
  { given, ...request }: EvalCallRequest,
  ports: PipelinePorts,
): Promise<CallResult> {
  const effects: ShieldedEffect[] = []
  const shield: Shield = { purpose: 'test', given, onEffect: (one) => void effects.push(one) }
  const result = await ports.callTool({ ...request, depth: 1, shield, durable: true })
  // Calls further below may report effects as well.
  const effect = effects.find(({ tool }) => tool === request.tool)
  if (effect === undefined) return result
  if (effect.preview === undefined) return toFailure(refuseEffect('test', request.tool))
  const { summary, changes } = effect.preview
  const output = toJsonValue({ preview: { summary, changes } }).value
  return { status: 'completed', output }
}

/** The program itself only computes. The calls that it makes are those of the model. */
async function runProgram(
  { given, ...request }: EvalCallRequest,
  ports: PipelinePorts,
): Promise<EvalCallAnswer> {
  const made: EvaluatedCall[] = []
  const onCall: Shield['onCall'] = (below, result) => {
    if (below.depth !== 1) return
    const entry = ports.registry.find(below.tool, request.caller.tenant)
    if (!isMetaTool(below.tool)) made.push(toMade(below, result, entry))
  }
  const shield: Shield = { purpose: 'test', given, onCall }
  return { result: await ports.callTool({ ...request, shield, durable: true }), made }
}

/** A stand-in has no schema of its own, and must not answer for a tool that the caller can't see. */
async function findRefusal(
  entry: RegisteredTool | undefined,
  { tool, input, caller }: EvalCallRequest,
  { scopeFor }: Pick<PipelinePorts, 'scopeFor'>,
): Promise<CallResult | undefined> {
  if (entry === undefined || decide(entry, await scopeFor(caller)).verdict === 'deny') {
    return toFailure(toolNotFound(tool))
  }
  if (entry.tool.isDynamic) return undefined
  const parsed = entry.tool.parseInput(input ?? {})
  if (parsed.ok) return undefined
  const message = `The input does not match the schema of ${tool}`
  return toFailure(new ToolError('invalid_input', message, { issues: parsed.issues }))
}

function toFailure(error: unknown): CallResult {
  return { status: 'failed', error: presentError(toCallError(error), emptyRedactor) }
}

const settled = ['completed', 'failed', 'denied', 'cancelled'] as const

function toMade(
  { tool, input }: Pick<ShieldedCall, 'tool' | 'input'>,
  { status, error }: CallResult,
  entry: RegisteredTool | undefined,
): EvaluatedCall {
  const value = toJsonValue(input ?? {}).value
  return {
    tool: entry?.contract.name ?? tool,
    input: entry === undefined ? value : hideSecretFields(entry.contract, value).shown,
    status: settled.find((one) => one === status) ?? 'failed',
    ...(error !== undefined && { error }),
  }
}
