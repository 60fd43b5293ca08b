import type { ChaosClient, Reply } from '../chaos-client.ts'
import type { Answer } from '../evidence.ts'
import type { Ledger } from '../ledger.ts'
import type { Random } from '../random.ts'

/** What one client of the load works with. */
export interface LoadContext {
  client: ChaosClient
  ledger: Ledger
  random: Random
  /** A name for something wanted, never given twice. */
  nextOperation(): string
  /** The file in which tools leave work for an outside worker. */
  handedOver: string
}

/** A kind of load. It is on when the server offers what it needs. */
export interface Load {
  name: string
  /** How often, beside the others. */
  weight: number
  /** Paths that /openapi.json must have. */
  needs: readonly string[]
  /** One thing that a client does, from its request to where it loses interest. */
  turn(context: LoadContext): Promise<void>
  /** What people and workers outside do in the meantime; called again and again. */
  attend?(context: LoadContext): Promise<void>
  /** Ends what would go on by itself when nobody asks for anything any more. */
  end?(context: LoadContext): Promise<void>
}

export interface Operation {
  tool: string
  input: { operation: string; beforeMs?: number; afterMs?: number; failsFirst?: boolean }
  key?: string
}

const mostTries = 8

/**
 * Asks for something once, as a good client does: it repeats under a key, or when it was told that there
 * is no call; without a key it never repeats what may have been done. Gives the id when it is told one.
 */
export async function perform(
  operation: Operation,
  context: LoadContext,
): Promise<{ callId: string; status: string } | undefined> {
  for (let attempt = 1; attempt <= mostTries; attempt += 1) {
    const reply = await request(operation, context)
    const { callId, status } = (reply.body ?? {}) as { callId?: string; status?: string }
    if (callId !== undefined) return { callId, status: String(status) }
    const isRefused = reply.http === 429 || reply.http === 503
    const mayRepeat = isRefused || (reply.http === undefined && operation.key !== undefined)
    if (!mayRepeat) return undefined
  }
  return undefined
}

async function request({ tool, input, key }: Operation, context: LoadContext): Promise<Reply> {
  const reply = await context.client.send({
    path: `/api/v1/tools/${tool}/calls`,
    json: { input },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })
  context.ledger.enter({
    request: 'call',
    tool,
    operation: input.operation,
    input,
    key,
    ...toEntry(reply),
  })
  return reply
}

/** Looks at a call on whichever node, waiting a while for its end. */
export async function look(
  { tool, input, callId }: Operation & { callId: string },
  context: LoadContext,
): Promise<string | undefined> {
  const wait = context.random.between(0, 4)
  const reply = await context.client.send({ path: `/api/v1/calls/${callId}?wait=${wait}` })
  context.ledger.enter({
    request: 'look',
    tool,
    operation: input.operation,
    callId,
    ...toEntry(reply),
  })
  return (reply.body as { status?: string } | undefined)?.status
}

/** The part of a ledger's line that comes from the answer. */
export function toEntry({
  node,
  tookMs,
  http,
  body,
}: Reply): Pick<Answer, 'node' | 'tookMs' | 'http' | 'result'> {
  if (http === undefined) return { node, tookMs }
  const { callId, status, output, error, code } = (body ?? {}) as NonNullable<Answer['result']>
  return {
    node,
    tookMs,
    http,
    // A problem's `status` is a number and not a call's.
    result: { callId, output, error, code, ...(typeof status === 'string' && { status }) },
  }
}
