import { ownerOf } from '../app/owner.ts'
import type { Tool } from '../core/kernel/tool.ts'
import type { TestReport } from '../core/trials/run-tests.ts'
import { createTestCrib, type TestCribOptions } from './create-test-crib.ts'

/**
 * Runs the tests in the definition of a tool, in a crib of its own. Other tools that it reads with go
 * into `tools`, beside secrets and configuration.
 */
export async function runToolTests(
  tool: Tool,
  { tools = [], ...options }: TestCribOptions = {},
): Promise<TestReport> {
  const crib = await createTestCrib({ ...options, tools: [...tools, tool] })
  try {
    return await crib.api.runToolTests(ownerOf(), { name: tool.contract.name })
  } finally {
    await crib.close()
  }
}
