import type { CallContext } from './kernel/call.ts'
import { ToolError } from './kernel/errors.ts'
import type { Tool, ToolBehaviour } from './kernel/tool.ts'

/** Where a worker finds a tool: the address of its module, and its name. */
export interface IsolatedPlace {
  url: string
  tool: string
}

/** Runs tools in separate threads. */
export interface ToolIsolator {
  /**
   * Yields partial output and returns the result; throws what the tool threw. Ends when the call
   * does.
   */
  run(place: IsolatedPlace, input: unknown, context: CallContext): AsyncGenerator<unknown, unknown>
  close(): Promise<void>
}

/** The same tool with its function run in a worker. `url` is the module that exports it. */
export function isolateTool(tool: Tool, url: string, isolator: ToolIsolator): Tool {
  const place = { url, tool: tool.contract.name }
  const execute: ToolBehaviour['execute'] = (input, context) => isolator.run(place, input, context)
  return Object.freeze({
    ...tool,
    behaviour: async (context: CallContext) => ({ ...(await tool.behaviour(context)), execute }),
  })
}

/** A worker loads a tool from its file, so a tool without one can't be isolated. */
export function refuseIsolated({ contract }: Tool): void {
  if (contract.isolation === 'inline') return
  throw new ToolError(
    'invalid_tool',
    `Tool ${contract.name} has isolation: "worker", but was not loaded from a file`,
    {
      issues: [
        { path: '/isolation', message: 'needs a tool that is loaded from a *.tool.ts file' },
      ],
      fix: 'Put the tool into a *.tool.ts file of a tools folder, or leave isolation out.',
    },
  )
}
