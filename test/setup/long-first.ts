import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes long: processes, databases and stores of a test's own. */
const starts =
  /startServerProcess|openConsole|createNodes|runChaos|describeStore|spawn\(|execFile|createTempDatabase|createTempFolder|'embedded'/

/** A browser takes a core for itself; most others wait for most of their time. */
const hasBrowser = ({ moduleId }: TestSpecification) => moduleId.includes('/console/')

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
    const areKnown = sorted.every(isKnown)
    // Projects stay together: a worker that changes between them starts anew.
    const byProject = Map.groupBy(sorted, ({ project }) => project)
    return [...byProject.values()].flatMap((own) => spread(areKnown ? own : longFirst(own)))
  }
}

function longFirst(files: readonly TestSpecification[]): TestSpecification[] {
  const isLong = new Set(
    files.filter(({ moduleId }) => starts.test(readFileSync(moduleId, 'utf8'))),
  )
  return [...files.filter((file) => isLong.has(file)), ...files.filter((file) => !isLong.has(file))]
}

/** One file with a browser to two without, as long as there are any. */
function spread(files: readonly TestSpecification[]): TestSpecification[] {
  const others = files.filter((file) => !hasBrowser(file))
  const drawn = files.filter(hasBrowser)
  return [
    ...drawn.flatMap((file, index) => [file, ...others.slice(2 * index, 2 * index + 2)]),
    ...others.slice(2 * drawn.length),
  ]
}
