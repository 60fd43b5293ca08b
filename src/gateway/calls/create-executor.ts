import type { CallContext } from '../../core/kernel/call.ts'
import type { ServerFacts } from '../upstream/server-facts.ts'
import type { ReadTool } from '../tools/judge-tools.ts'
import { callSignedIn } from './call-signed-in.ts'
import { type CallTarget, callUpstream } from './call-upstream.ts'
import { toCallTarget } from './to-call-target.ts'

/** Runs a tool of a server: a call there, with a sign-in on the way if the caller can do one. */
export function createExecutor(tool: ReadTool, facts: ServerFacts, lease: CallTarget['lease']) {
  const target = { ...toCallTarget(tool, facts), lease }
  return (input: unknown, context: CallContext) => {
    const { key, spec, ports } = facts
    return callSignedIn(() => callUpstream(target, input, context), {
      request: { ...key, spec, principal: context.principal },
      signIn: ports.signIn,
      context,
    })
  }
}
