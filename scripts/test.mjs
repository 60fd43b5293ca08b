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
  if (args.length > 0) return inMemory(() => runTool('vitest', ['run', ...args]))
  const checks = [
    { name: 'format', tool: 'oxfmt', args: ['--check'] },
    // The types, too: it reads all programs for its own rules already, which is most of what tsc does.
    { name: 'lint', tool: 'oxlint', args: ['--type-check'] },
    { name: 'dead code', tool: 'knip', args: [] },
  ]
  const failed = []
  for (const check of checks) {
    if (!(await checkWithTool(check))) failed.push(check.name)
  }
  // A test in an endless loop has no time-out of its own: the thread that would ring is busy.
  const code = await inMemory(async () => {
    const parts = checkWithTool(consoleParts)
    const rest = await runTool('vitest', ['run', '--project', '!browser*'], {
      timeoutMs: 30 * 60_000,
    })
    if (!(await parts)) failed.push(consoleParts.name)
    return rest
  })
  // Vitest has the last word when all is well; what failed beside it must not scroll away unseen.
  if (failed.length > 0) console.error(`Failed beside the tests: ${failed.join(', ')} (see above)`)
  return failed.length > 0 ? 1 : code
}

/** In a browser of their own, where Vitest would run them alone after all others. */
const consoleParts = {
  name: 'parts',
  tool: 'vitest',
  // Without a browser there are none.
  args: ['run', '--project', 'browser*', '--passWithNoTests'],
  isBeside: true,
  summary: /Tests .*/,
}

/** With temporary files in memory where there is enough of it, unless somebody has said where they go. */
async function inMemory(run) {
  const { createMemoryFolder } = await import('./memory-folder.mjs')
  const folder = process.env.TMPDIR ? undefined : createMemoryFolder()
  if (folder === undefined) return run()
  process.env.TMPDIR = folder.path
  try {
    return await run()
  } finally {
    folder.remove()
  }
}
