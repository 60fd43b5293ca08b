// npm test: everything a change has to pass. With arguments, only vitest with those (npm test -- src/core).
// npm run test:long: what takes too long for every change; CI runs both.
import { fromProject } from './from-project.mjs'

fromProject(runTests, fetchPrograms)

/** One after the other: apt has one lock. */
async function fetchPrograms() {
  const { ensureChromium } = await import('./chromium.mjs')
  const { ensureBubblewrap } = await import('./bubblewrap.mjs')
  const { prefetchPostgres } = await import('./postgres-binaries.mjs')
  await ensureBubblewrap()
  await ensureChromium()
  await prefetchPostgres()
}

async function runTests({ root, args }) {
  const { runTool, checkWithTool } = await import('./tools.mjs')
  const { ensureConsole } = await import('./console.mjs')
  const { watchForFiles } = await import('./left-files.mjs')
  process.chdir(root)
  await ensureConsole()
  const findLeft = watchForFiles(root)
  if (args.length > 0) {
    const code = await inMemory(() =>
      runTool('vitest', ['run', ...toSelection(args)], { timeoutMs }),
    )
    // Somebody who tries single files may be writing others meanwhile.
    tellLeft(findLeft())
    return code
  }
  const checks = [
    { name: 'format', tool: 'oxfmt', args: ['--check'] },
    // The types, too: it reads all programs for its own rules already, which is most of what tsc does.
    { name: 'lint', tool: 'oxlint', args: ['--type-check'] },
    { name: 'dead code', tool: 'knip', args: [] },
  ]
  const failed = []
  const runChecks = async () => {
    for (const check of [...checks, consoleParts]) {
      if (!(await checkWithTool({ ...check, isBeside: true }))) failed.push(check.name)
    }
  }
  const code = await inMemory(async () => {
    const beside = runChecks()
    const rest = await runTool('vitest', ['run', ...projects('pure', 'whole')], {
      timeoutMs,
    })
    await beside
    return rest
  })
  if (!tellLeft(findLeft())) failed.push('left files')
  // Vitest has the last word when all is well; what failed beside it must not scroll away unseen.
  if (failed.length > 0) console.error(`Failed beside the tests: ${failed.join(', ')} (see above)`)
  return failed.length > 0 ? 1 : code
}

/** A test in an endless loop has no time-out of its own: the thread that would ring is busy. */
const timeoutMs = 30 * 60_000

const projects = (...names) => names.flatMap((name) => ['--project', name])

/** The long run also walks through the console once more, looking at more sizes and colours. */
function toSelection([first, ...rest]) {
  if (first !== '--long') return [first, ...rest]
  process.env.TOOLCRIB_TEST_LONG = '1'
  return [...projects('long'), ...rest]
}

/** Says what the tests have left in the checkout. True where that is nothing. */
function tellLeft(files) {
  if (files.length === 0) return true
  console.error('In the checkout since the tests began (tests belong into temporary folders):')
  for (const file of files.slice(0, 20)) console.error(`  ${file}`)
  if (files.length > 20) console.error(`  and ${files.length - 20} more`)
  return false
}

/** In a browser of their own, where Vitest would run them alone after all others. */
const consoleParts = {
  name: 'parts',
  tool: 'vitest',
  // Without a browser there are none.
  args: ['run', '--project', 'browser*', '--passWithNoTests'],
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
