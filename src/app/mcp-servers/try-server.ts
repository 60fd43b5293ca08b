import type { Caller } from '../../core/kernel/call.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import type { McpServerTest } from '../../core/gateway/mcp-servers-api.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { Gateway, ServerTrial } from '../../gateway/gateway.ts'

/**
 * Connects and lists, and says what is wrong and the way out. Nothing of it stays, unless it was asked
 * of the program that runs.
 */
export async function tryServer(
  gateway: Gateway,
  { caller, name, spec }: { caller: Caller; name: string; spec: McpServerSpec },
): Promise<McpServerTest> {
  const begun = performance.now()
  const took = () => Math.round(performance.now() - begun)
  const key = { tenant: caller.tenant, server: name }
  try {
    const status = await gateway.tryOut(key, spec, caller.principal)
    return { ok: true, durationMs: took(), ...toTest(status) }
  } catch (error) {
    if (!isToolError(error)) throw error
    const { code, message, fix, details } = error
    const output = details['errorOutput']
    return {
      ok: false,
      durationMs: took(),
      tools: [],
      problem: { code, message, ...(fix !== undefined && { fix }) },
      ...(typeof output === 'string' && output !== '' && { errorOutput: output }),
    }
  }
}

function toTest({ verdict, about, tools, errorOutput, isLive }: ServerTrial) {
  return {
    tools,
    ...(isLive === true && { isLive }),
    ...(verdict !== undefined && { protocol: { version: verdict.version, era: verdict.era } }),
    ...(about !== undefined && { about }),
    ...(errorOutput !== undefined && errorOutput !== '' && { errorOutput }),
  }
}
