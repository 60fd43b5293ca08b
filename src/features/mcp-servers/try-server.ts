import type { Caller } from '../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { Gateway, ServerTrial } from '../../core/gateway/gateway.ts'
import type { McpServerTest } from './schemas.ts'

/**
 * Connects, lists the tools and reports problems with their fix. The connection is closed afterwards, unless it belongs to the running process.
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
    tools: [...tools],
    ...(isLive === true && { isLive }),
    ...(verdict !== undefined && { protocol: { version: verdict.version, era: verdict.era } }),
    ...(about !== undefined && { about }),
    ...(errorOutput !== undefined && errorOutput !== '' && { errorOutput }),
  }
}

/** Each test may start a program: only a few at once per tenant. */
export interface TestPermits {
  run<T>(tenant: string, work: () => Promise<T>): Promise<T>
}

const testsAtOnce = 4

export function createTestPermits(): TestPermits {
  const running = new Map<string, number>()
  return {
    async run(tenant, work) {
      const count = running.get(tenant) ?? 0
      if (count >= testsAtOnce) throw tooManyTests()
      running.set(tenant, count + 1)
      try {
        return await work()
      } finally {
        const left = (running.get(tenant) ?? 1) - 1
        if (left > 0) running.set(tenant, left)
        else running.delete(tenant)
      }
    },
  }
}

function tooManyTests(): ToolError {
  return new ToolError('rate_limited', `${testsAtOnce} MCP servers are being tested already`, {
    fix: 'Wait until one of the tests has finished.',
    retryable: true,
  })
}
