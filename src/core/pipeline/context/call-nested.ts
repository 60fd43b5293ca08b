import type { CallContext, Caller, CallResult } from '../../kernel/call.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { JsonValue } from '../../kernel/tool.ts'
import type { CallControl } from '../run/call-control.ts'
import { type CallFacts, mayRunAgain } from '../record/call-facts.ts'
import type { ChainedRequest } from '../chained-request.ts'
import { raiseFlags } from '../data-flow.ts'
import { isStillOpen, type NestedCalls } from './nested-calls.ts'
import { noSecrets, type OpenSecrets } from './open-secrets.ts'
import type { PipelinePorts } from '../ports.ts'
import { toJsonValue } from '../output/to-json-value.ts'

/** How long a caller's rights are trusted before they are looked up again. */
const trustedMs = 1000

/** The state of a call that calls another. */
export interface Nesting extends Pick<OpenSecrets, 'sensitive' | 'redactor'> {
  facts: CallFacts
  request: ChainedRequest
  control: CallControl
  nested: NestedCalls
  client: CallContext['client']
  ports: PipelinePorts
  /** For a call that undoes another: that call, and the key that makes it the only one. */
  undoes?: string
  idempotencyKey?: string | undefined
}

/** Same caller, same policy, own record; ends with its parent and never outlives its deadline. */
export async function callNested(name: string, input: unknown, from: Nesting): Promise<JsonValue> {
  const { control, nested } = from
  // A tool that keeps running after it was aborted or ended must have no further effects through
  // others.
  if (control.isOver) {
    throw control.reason ?? new ToolError('cancelled', 'The call that made this one has ended')
  }
  const tool = from.ports.registry.find(name, from.facts.caller.tenant)?.contract.name ?? name
  const askedDigest = digestOf(tool, input, from)
  const { position, earlier } = nested.next(tool, askedDigest)
  // From here on, its flags apply to the calls it makes.
  if (from.facts.flow !== undefined) await raiseFlags(from.facts, from.ports)
  const leave = nested.enter()
  const result = earlier ?? (await makeNested(name, input, { ...from, position, askedDigest }))
  if (isStillOpen(result)) {
    const never = nested.suspend()
    leave()
    return never
  }
  leave()
  if (result.status === 'completed') return result.output ?? null
  throw toNestedError(name, result)
}

/** Identifies this call when its parent is resumed; undefined if that can't happen. */
function digestOf(tool: string, input: unknown, from: Nesting): string | undefined {
  if (!mayWait(from)) return undefined
  return from.ports.calls.digestInput([tool, toJsonValue(input ?? {}).value])
}

/** It would be rerun from the beginning, so it must be repeatable. */
function mayWait({ request, facts }: Nesting): boolean {
  return request.mayWait !== false && mayRunAgain(facts)
}

async function makeNested(
  name: string,
  input: unknown,
  from: Nesting & { position: number; askedDigest: string | undefined },
): Promise<CallResult> {
  const { facts, control, request, sensitive } = from
  return from.ports.callTool({
    tool: name,
    input,
    caller: await callerNow(from),
    parentId: facts.callId,
    rootId: request.rootId ?? facts.callId,
    position: from.position,
    askedDigest: from.askedDigest,
    depth: (request.depth ?? 0) + 1,
    mayWait: mayWait(from),
    heldBy: request.heldBy ?? (mayRunAgain(facts) ? undefined : facts.contract.name),
    signal: control.signal,
    timeoutMs: control.remainingMs(),
    secrets: sensitive === noSecrets ? undefined : sensitive,
    held: request.held,
    shield: request.shield,
    isTrial: request.isTrial,
    undoes: from.undoes,
    idempotencyKey: from.idempotencyKey,
    // Not the door's own client: while this one is asked, the clocks of all parent calls stop.
    client: from.client,
  })
}

/** The caller was checked when this call was requested. That may have changed since. */
export function callerNow({
  facts,
  ports,
}: Pick<Nesting, 'facts' | 'ports'>): Caller | Promise<Caller> {
  const isRecent = ports.now() - facts.requestedAt < trustedMs
  return isRecent ? facts.caller : ports.callerNow(facts.caller)
}

function toNestedError(name: string, { status, error }: CallResult): ToolError {
  if (error === undefined) return new ToolError('tool_failed', `${name} is ${status}`)
  const { code, message, retryAfterMs, refusalId, ...more } = error
  const details = {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(refusalId !== undefined && { refusalId }),
  }
  return new ToolError(code, `${name}: ${message}`, { ...more, details })
}
