import type { Reporter, TestModule } from 'vitest/node'

/** Names what passed only when it was tried again, and why: green, and still worth a look. */
export class TellFlaky implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const { children, relativeModuleId } of modules) {
      for (const test of children.allTests('passed')) {
        if (!test.diagnostic()?.flaky) continue
        const why = test.result().errors?.[0]?.message.split('\n')[0]
        console.log(`Passed only when tried again: ${relativeModuleId} > ${test.fullName}: ${why}`)
      }
    }
  }
}
