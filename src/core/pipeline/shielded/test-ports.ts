import type { Caller } from '../../kernel/call.ts'
import type { RegisteredTool } from '../../registry.ts'
import type { TestPorts } from '../../trials/run-tests.ts'
import type { PipelinePorts } from '../ports.ts'

/**
 * Runs tests in the pipeline, as this caller: every call is on record as a test, and has no effect
 * through its context. The entry need not be registered, so that a draft can be tested.
 */
export function toTestPorts(
  { entry, caller }: { entry: RegisteredTool; caller: Caller },
  ports: PipelinePorts,
): TestPorts {
  return {
    now: ports.now,
    call: ({ input, given }) =>
      ports.callTool({
        tool: entry.contract.name,
        input,
        caller,
        candidate: entry,
        shield: { purpose: 'test', given },
        durable: true,
      }),
  }
}
