// npm test: everything a change has to pass. With arguments, only vitest with those (npm test -- src/core).
import { fromProject } from './from-project.mjs'

fromProject(runTests, fetchPrograms)

/** One after the other: apt has one lock. */
async function fetchPrograms() {
  const { ensureChromium } = await import('./chromium.mjs')
  const { prefetchPostgres } = await import('./postgres-binaries.mjs')
  await ensureChromium()
  await prefetchPostgres()
}

async function runTests({ root, args }) {
  const { runTool, checkWithTool } = await import('./tools.mjs')
  const { ensureConsole } = await import('./console.mjs')
  process.chdir(root)
  await ensureConsole()
  if (args.length > 0) return runTool('vitest', ['run', ...args])
  const checks = [
    { name: 'format', tool: 'oxfmt', args: ['--check'] },
    { name: 'lint', tool: 'oxlint', args: [] },
    { name: 'types', tool: 'tsc', args: ['--noEmit'] },
    { name: 'console', tool: 'tsc', args: ['--noEmit', '-p', 'console'] },
    { name: 'dead code', tool: 'knip', args: [] },
  ]
  const failed = []
  for (const check of checks) {
    if (!(await checkWithTool(check))) failed.push(check.name)
  }
  // A test in an endless loop has no time-out of its own: the thread that would ring is busy.
  const code = await runTool('vitest', ['run'], { timeoutMs: 30 * 60_000 })
  // Vitest has the last word when all is well; what failed before it must not scroll away unseen.
  if (failed.length > 0) console.error(`Failed before the tests: ${failed.join(', ')} (see above)`)
  return failed.length > 0 ? 1 : code
}
