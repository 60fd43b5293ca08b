import type { Reporter, TestModule } from 'vitest/node'

/** Names what passed only when it was tried again, and why: green, and still worth a look. */
export class ReportFlaky implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const { children, relativeModuleId } of modules) {
      for (const test of children.allTests('passed')) {
        if (!test.diagnostic()?.flaky) continue
        const [error] = test.result().errors ?? []
        const why = error?.message.split('\n')[0]
        const line = error?.stacks?.find(({ file }) => file.endsWith(relativeModuleId))?.line
        const at = `${relativeModuleId}${line === undefined ? '' : `:${line}`}`
        console.log(`Passed only when tried again: ${at} > ${test.fullName}: ${why}`)
      }
    }
  }
}
