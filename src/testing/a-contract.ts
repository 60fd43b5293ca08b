import { defineTool } from '../core/define-tool.ts'
import type { ToolContract } from '../core/kernel/tool.ts'

/**
 * The contract of a plain tool for tests: a read without input, unless `given` overrides it.
 * Derived fields (title, pack, `idempotent`) follow from the given ones.
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
