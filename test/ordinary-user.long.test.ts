import { execFile } from 'node:child_process'
import { chownSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { hasBwrap } from '../src/host/sandbox/testing/sandbox-scene.ts'

const root = path.join(import.meta.dirname, '..')
const ordinary = 65_534

async function isOpenToOthers(place: string): Promise<boolean> {
  const { mode } = await stat(place)
  if ((mode & 0o001) === 0) return false
  return path.dirname(place) === place || isOpenToOthers(path.dirname(place))
}

/** What depends on the rights of the server. */
const files = [
  'src/host/files/escape.test.ts',
  'src/host/sandbox/bwrap/escapes.test.ts',
  'src/host/sandbox/run/disk-watch.test.ts',
  'src/host/sandbox/sandbox.test.ts',
  'test/workspace-nodes.test.ts',
  'test/workspace-story.test.ts',
]

/** Why it can't be run here, if so. Another user than root has run it already, with the short tests. */
async function findObstacle(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'these tests do not run as root'
  if (!(await hasBwrap())) return 'bubblewrap is not installed'
  const places = [process.execPath, import.meta.dirname]
  const areOpen = await Promise.all(places.map(isOpenToOthers))
  return areOpen.includes(false) ? 'other users cannot read this folder' : undefined
}

const obstacle = await findObstacle()
if (obstacle !== undefined) {
  console.log(
    `Tests of workspaces and sandboxes are not repeated as an ordinary user: ${obstacle}.`,
  )
}

interface Report {
  testResults: { assertionResults: { fullName: string; status: string }[] }[]
}

test.skipIf(obstacle !== undefined)(
  'workspaces and sandboxes work the same for an ordinary user, without any right of root',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-ordinary-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    chownSync(folder, ordinary, ordinary)
    const { PATH, TOOLCRIB_TEST_POSTGRES, TOOLCRIB_TEST_TEMPLATE } = process.env
    const env = {
      PATH,
      TOOLCRIB_TEST_POSTGRES,
      TOOLCRIB_TEST_TEMPLATE,
      HOME: folder,
      TMPDIR: folder,
    }
    const testResults = await runTests(folder, env, files)
    // Its other store is for the long run.
    const story = files.filter((file) => file.includes('story'))
    testResults.push(...(await runTests(folder, { ...env, TOOLCRIB_TEST_LONG: '1' }, story)))
    const results = testResults.flatMap(({ assertionResults }) => assertionResults)
    const others = results.filter(({ status }) => status !== 'passed')
    // Only a server that is root has a user of its own for each tenant.
    const ofRoot = 'a sandbox a workspace behind a closed folder is reported with a fix'
    expect(others).toMatchObject([{ fullName: ofRoot, status: 'skipped' }])
    expect(testResults).toHaveLength(files.length + story.length)
    for (const store of ['embedded', 'postgres']) {
      expect(results.filter(({ fullName }) => fullName.startsWith(`on ${store} `))).not.toEqual([])
    }
  },
  600_000,
)

/** Runs these files as the ordinary user. */
async function runTests(
  folder: string,
  env: NodeJS.ProcessEnv,
  chosen: readonly string[],
): Promise<Report['testResults']> {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const report = path.join(folder, 'report.json')
  await rm(report, { force: true })
  // Otherwise Vitest would write to the checkout, where this user may not.
  const own = ['--configLoader', 'native', '--reporter', 'json', '--outputFile', report]
  const args = [vitest, 'run', '--project', 'whole', ...own, ...chosen]
  const options = { cwd: root, env, uid: ordinary, gid: ordinary }
  const { stderr } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: { stderr: string }) => error,
  )
  const text = await readFile(report, 'utf8').catch(() => {
    throw new Error(`No test ran: ${stderr}`)
  })
  return (JSON.parse(text) as Report).testResults
}
