/** For tests of tools and cribs: what `import … from 'toolcrib/testing'` gives. */
export { aContext } from './a-context.ts'
export type { TestContext } from './a-context.ts'
export { aContract } from './a-contract.ts'
export { createTestCrib } from './create-test-crib.ts'
export type { TestCribOptions } from './create-test-crib.ts'
export { openTestStore } from './open-test-store.ts'
export { runTool } from './run-tool.ts'
export type { ToolRun } from './run-tool.ts'
