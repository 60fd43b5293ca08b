import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/setup/long-first.ts'
import { ReportFlaky } from './test/setup/report-flaky.ts'
import { isLongRun } from './test/setup/run-length.ts'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// A crash test starts real servers, and a console brings its browser along, on cores that others use too.
// These limits end what hangs; they are far beyond what a test needs, so that a busy machine fails none.
// What is polled for comes when it comes: by itself Vitest would give up after a second.
const timeouts = {
  testTimeout: 240_000,
  hookTimeout: 480_000,
  expect: { poll: { timeout: 90_000 } },
}

// Modules here do nothing when they are imported (a test holds that), so files of one worker share them:
// evaluating them anew for each file was half of the suite's work.
const shared = { isolate: false, ...timeouts }

// Example tools say `from 'toolcrib'`; in a checkout that is the source, never an old build in dist/.
const resolve = {
  alias: [
    { find: /^toolcrib$/, replacement: source('./src/app/index.ts') },
    { find: /^toolcrib\/ai-sdk$/, replacement: source('./src/doors/sdk/index.ts') },
    { find: /^toolcrib\/client$/, replacement: source('./src/client/index.ts') },
    { find: /^toolcrib\/define$/, replacement: source('./src/define/index.ts') },
    { find: /^toolcrib\/testing$/, replacement: source('./src/testing/index.ts') },
  ],
}

// Every file of tests has a process of its own, and many start others: what Node has stripped of its
// types and compiled once is taken from there. The same place as `bin/toolcrib` has.
process.env['NODE_COMPILE_CACHE'] ??= source('./node_modules/.cache/toolcrib/compiled')

// As `bin/toolcrib` says it: the embedded database lives for seconds here, too short to be optimised.
const execArgv = ['--wasm-tiering-budget=100000000', '--no-wasm-loop-unrolling']

// Real servers, browsers and databases on cores that others use too: what fails in CI is tried twice
// more there, and the last lines name it. On a developer's machine nothing is.
const retry = process.env['CI'] === undefined ? 0 : 2

// What takes minutes (conformance suites, other vendors' servers and SDKs, chaos) is for `npm run test:long`.
const long = '**/*.long.test.ts'

// Tried in one variant by `npm test`, mostly on one database, and in the others by the long run (see
// `variants` in test/setup/run-length.ts).
const varied = [
  'test/approvals/nodes.test.ts',
  'test/attacks/clocks.test.ts',
  'test/attacks/programs.test.ts',
  'test/chat/crash.test.ts',
  'test/composition-crash.test.ts',
  'test/crash.test.ts',
  'test/deploy.test.ts',
  'test/group-crash.test.ts',
  'test/new-feature.test.ts',
  'test/postgres-gone.test.ts',
  'test/secret-fields.test.ts',
  'test/streams.test.ts',
  'test/takeover.test.ts',
  'test/workspace-story.test.ts',
  'test/wrong-clock.test.ts',
  'src/store/event-feed.test.ts',
]
const variedAgain = isLongRun ? varied : []

// The console against the real server, in a real browser. With the rest, not as a project of its own:
// projects follow each other, and at the end of each the cores wait for its slowest file. The long run
// walks through it once more, looking at more sizes and colours.
const console = ['console/{src,test}/**/*.test.ts']

// What needs no server: a run of these files alone starts in a moment. Examples open the embedded store at
// the most, and are here for the alias.
const pure = ['src/core/**/*.test.ts', 'src/doors/cli/output/**/*.test.ts', 'examples/**/*.test.ts']

// Much of the suite waits: for leases to end, nodes to be missed, clocks to tick. A file needs less than
// half a core, so that five at a time keep two busy, where there is memory for them; by itself Vitest
// would leave one of the cores to the rest of the machine. With more, servers that start side by side
// only wait for each other.
const workers = Math.max(3, Math.min(5, Math.floor(totalmem() / 2 ** 31)))

export default defineConfig({
  test: {
    maxWorkers: workers,
    sequence: { sequencer: LongFirst },
    reporters: ['default', new ReportFlaky()],
    projects: [
      { resolve, test: { name: 'pure', include: pure, exclude: [long], execArgv, ...shared } },
      {
        test: {
          name: 'whole',
          include: ['{src,test,scripts,bench}/**/*.test.ts', ...(isLongRun ? [] : console)],
          exclude: [...pure, long],
          globalSetup: ['test/setup/postgres.ts'],
          setupFiles: ['test/setup/check-events.ts'],
          // Node runs the source itself, as it does for users: the loader's imports stay its own.
          experimental: { viteModuleRunner: false },
          execArgv,
          retry,
          ...shared,
        },
      },
      {
        resolve,
        test: {
          name: 'long',
          include: [
            '{src,test,examples}/**/*.long.test.ts',
            ...variedAgain,
            ...(isLongRun ? console : []),
          ],
          globalSetup: ['test/setup/postgres.ts'],
          setupFiles: ['test/setup/check-events.ts'],
          experimental: { viteModuleRunner: false },
          execArgv,
          retry,
          ...shared,
        },
      },
      // The parts of the console alone, in a real browser.
      'console/vitest.config.ts',
    ],
  },
})
