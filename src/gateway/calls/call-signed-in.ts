import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallContext } from '../../core/kernel/call.ts'
import type { CallerClient } from '../../core/kernel/context/caller-client.ts'
import { isToolError, type ToolError } from '../../core/kernel/errors.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { AuthRequest, SignInPrompt } from '../ports.ts'

/** How long a call waits for a caller who agreed to sign in. */
const patienceMs = 300_000
const lookEveryMs = 500

export interface SignedInCall {
  request: AuthRequest
  signIn: SignInPrompt | undefined
  context: CallContext
}

/**
 * Makes a call; where its server wants a sign-in and the caller's client can show an address, it is
 * asked to, and the call is made again once they have signed in.
 */
export async function callSignedIn<T>(
  call: () => Promise<T>,
  { request, signIn, context }: SignedInCall,
): Promise<T> {
  const begunAt = signIn?.now() ?? 0
  try {
    return await call()
  } catch (error) {
    const { client, signal } = context
    if (signIn === undefined || client === undefined || !isAnswerable(error, { request, client })) {
      throw error
    }
    const { url } = await signIn.begin(request)
    const params = { mode: 'url', message: error.message, url, elicitationId: randomUUID() }
    const answers = await client.ask({ sign_in: { method: 'elicitation/create', params } })
    const answer = answers['sign_in']
    if (!isRecord(answer) || answer['action'] !== 'accept') throw error
    const until = performance.now() + patienceMs
    while (!(await signIn.isDone(request, begunAt))) {
      if (performance.now() > until || signal.aborted) throw error
      await sleep(lookEveryMs, undefined, { signal })
    }
    return call()
  }
}

/** Whether the caller can do something about it. */
function isAnswerable(
  error: unknown,
  { request, client }: { request: AuthRequest; client: CallerClient },
): error is ToolError {
  if (!isToolError(error) || error.code !== 'sign_in_required') return false
  // Only managers of MCP servers sign in for the whole tenant, not the first caller.
  const isForThemselves = request.spec.oauth?.perUser === true
  return isForThemselves && client.abilities.has('elicitation.url')
}
