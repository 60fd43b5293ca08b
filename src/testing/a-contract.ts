import { defineTool } from '../core/define-tool.ts'
import type { ToolContract } from '../core/kernel/tool.ts'

/**
 * The contract of a plain tool for tests: a read without input, unless `given` says otherwise. Whatever
 * follows from other fields (title, pack, `idempotent`) follows from those given.
 */
export function aContract(given: Partial<ToolContract> = {}): ToolContract {
  const { name = 'test.tool', description = 'A tool for tests.', effect = 'read' } = given
  const { contract } = defineTool({
    name,
    description,
    effect,
    inputSchema: { type: 'object' },
    execute: () => undefined,
  })
  return { ...contract, ...given }
}
