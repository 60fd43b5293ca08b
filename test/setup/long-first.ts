import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes long: processes, databases and stores of a test's own. */
const starts =
  /startServerProcess|openConsole|createNodes|runChaos|describeStore|spawn\(|execFile|createTempDatabase|createTempFolder|'embedded'/

/**
 * Files that start something of their own go before those that only compute, so that no long one is
 * left for the end, where it would be alone. Vitest goes by what took long the last time, and on a
 * fresh clone, which knows of none, by size: small files start some of the longest scenes.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isKnown = (file: TestSpecification) =>
      this.ctx.cache.getTestSpecificationResult(file) !== undefined
    if (sorted.every(isKnown)) return sorted
    // Projects stay together: a worker that changes between them starts anew.
    const byProject = Map.groupBy(sorted, ({ project }) => project)
    return [...byProject.values()].flatMap((own) => {
      const isLong = new Set(
        own.filter(({ moduleId }) => starts.test(readFileSync(moduleId, 'utf8'))),
      )
      return [...own.filter((file) => isLong.has(file)), ...own.filter((file) => !isLong.has(file))]
    })
  }
}
