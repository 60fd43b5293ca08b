/** For tests of tools and cribs: what `import … from 'toolcrib/testing'` gives. */
export { createTestCrib } from './create-test-crib.ts'
export type { TestCribOptions } from './create-test-crib.ts'
export { openTestStore } from './open-test-store.ts'
export { runTool } from './run-tool.ts'
export type { TestContext, ToolRun } from './run-tool.ts'
