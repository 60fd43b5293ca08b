import type { Tool } from 'toolcrib'
import * as testing from 'toolcrib/testing'

/** Runs one tool by itself. Takes any input, because the tests hand in wrong ones, too. */
export function runTool(
  tool: Tool,
  input: unknown,
  given: testing.TestContext = {},
): Promise<testing.ToolRun> {
  return testing.runTool(tool, input, given)
}

/** The output alone, as the caller expects it to be. */
export async function outputOf<T>(
  tool: Tool,
  input: unknown,
  given: testing.TestContext = {},
): Promise<T> {
  return (await runTool(tool, input, given)).output as T
}
