import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { holdLock } from './lock.mjs'
import { modernNode } from './own-node.mjs'
import { say, withProgress } from './progress.mjs'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './run-command.mjs'

const folder = join(projectRoot, 'console')
const stamp = join(folder, 'dist', '.built-from')

/**
 * Builds the console when its sources are others than those of the build that is there. Safe to run
 * twice at once. Throws an Error whose message is the way out.
 */
export async function ensureConsole() {
  if (isBuilt()) return
  const lock = await holdLock(join(projectRoot, '.tmp', 'console.lock'), {
    onWait: (pid) => say(`The console is being built (process ${pid}); waiting for it …`),
  })
  try {
    if (!isBuilt()) await build()
  } finally {
    lock.release()
  }
}

async function build() {
  const sources = fingerprint()
  const vite = join(projectRoot, 'node_modules', 'vite', 'bin', 'vite.js')
  const { code, output } = await withProgress(
    'Building the console',
    runCommand(modernNode(), [vite, 'build'], { cwd: folder, timeoutMs: 300_000 }),
  )
  if (code !== 0) throw new Error(`The console could not be built:\n${output.trim().slice(-3000)}`)
  writeFileSync(stamp, sources)
}

function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()
}

/** Of what a build is made from: the sources by their bytes, and the packages by the lockfile. */
function fingerprint() {
  const hash = createHash('sha256')
  hash.update(readFileSync(join(projectRoot, 'package-lock.json')))
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:src|public)\b|^[^/\\]+\.(?:ts|html|json)$/.test(name))
    .filter((name) => !/\.test\.tsx?$/.test(name))
    .sort()
  for (const name of names) {
    const file = join(folder, name)
    if (statSync(file).isFile()) hash.update(name).update('\0').update(readFileSync(file))
  }
  // The few files that the console shares with core.
  const shared = join(projectRoot, 'src', 'core', 'shapes')
  for (const name of readdirSync(shared).sort()) {
    if (!name.includes('.test.')) hash.update(name).update(readFileSync(join(shared, name)))
  }
  return hash.digest('hex')
}
