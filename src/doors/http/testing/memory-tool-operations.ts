import type { Caller } from '../../../core/kernel/call.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { openOperations, type OpenOperation } from '../../../core/operations/run-operation.ts'
import { scopeWith, toolNamed } from '../../../core/policy/policy.fixture.ts'
import type { RegisteredTool } from '../../../core/registry.ts'
import { explainOperations } from '../../../features/explain/operations.ts'
import type { ExplainParts } from '../../../features/explain/parts.ts'
import { toolOperations, type ToolParts } from '../../../features/tools/operations.ts'
import { memoryTools } from './memory-tools.ts'

const examples = [{ label: 'Nothing', input: {} }]

/** The real operations on tools, in a crib whose policy hides nothing. */
export function memoryToolOperations(): Readonly<Record<string, OpenOperation>> {
  const entries = memoryTools.map(({ listing: { wireName, pack, state: _state, ...facts } }) => {
    const { contract } = toolNamed(facts.name, { ...facts, examples })
    return { contract, wireName, pack, packOptIn: false, tool: { contract, warnings: [] } }
  }) as unknown as RegisteredTool[]
  const byName = entries.toSorted((one, other) =>
    one.contract.name < other.contract.name ? -1 : 1,
  )
  const parts = {
    registry: {
      list: () => byName,
      find: (name: string) =>
        entries.find(({ contract, wireName }) => [contract.name, wireName].includes(name)),
    },
    scopeFor: ({ tenant, permissions }: Caller) => scopeWith({ tenant, permissions }),
    refusals: {
      answer: async (_caller: Caller, name: string) =>
        new ToolError('tool_not_found', `There is no tool ${name}`),
    },
    workspaceAccess: { mayAsk: () => false, modeFor: async () => 'free' },
    fileProblems: () => [],
  } as unknown as ToolParts & ExplainParts
  return {
    ...openOperations(toolOperations, parts),
    ...openOperations(explainOperations, parts),
  }
}
