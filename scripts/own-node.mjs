import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { runNpm } from './npm.mjs'
import { withProgress } from './progress.mjs'
import { projectRoot } from './project-root.mjs'

const home = join(projectRoot, 'node_modules', 'node')
const binary = join(home, 'bin', 'node')

/** Whether this version of Node runs TypeScript without a flag. */
export function isModern(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18)
}

/** The Node to run the project's programs with: this one where it is modern, else the lockfile's. */
export function modernNode() {
  return isModern(process.versions.node) ? process.execPath : binary
}

/** The version of the Node in node_modules, or undefined when there is none that runs here. */
export function ownNodeVersion() {
  if (!existsSync(binary)) return undefined
  const { status, stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  const version = stdout?.trim().replace(/^v/, '')
  return status === 0 && isModern(version) ? version : undefined
}

/**
 * Brings the binary of the Node in the lockfile. Its package has an install script for that, which
 * many a configuration of npm blocks; the platform's package itself needs no script.
 */
export async function fetchNode() {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const isAppleArm = process.platform === 'darwin' && process.arch === 'arm64'
  const name = `${isAppleArm ? 'node-bin' : 'node'}-${process.platform}-${process.arch}`
  const cache = join(projectRoot, 'node_modules', '.cache', 'toolcrib', `node-${version}`)
  mkdirSync(cache, { recursive: true })
  const { code, output } = await withProgress(
    `Fetching Node ${version}`,
    runNpm(
      [
        'install',
        '--no-save',
        '--no-package-lock',
        '--ignore-scripts',
        '--prefix',
        '.',
        `${name}@${version}`,
      ],
      { cwd: cache },
    ),
  )
  if (code === 0) putInPlace(join(cache, 'node_modules', name, 'bin', 'node'))
  if (ownNodeVersion() !== undefined) return
  const reason =
    code === 0 ? 'does not run on this machine' : `could not be fetched: ${lastLine(output)}`
  throw new Error(
    `Toolcrib needs Node 22.18 or later, this is ${process.versions.node}, and Node ${version} ${reason}.\n` +
      'Install a newer Node (nodejs.org, nvm, your package manager), then run the command again.',
  )
}

function putInPlace(fetched) {
  mkdirSync(join(home, 'bin'), { recursive: true })
  rmSync(binary, { force: true })
  try {
    linkSync(fetched, binary)
  } catch {
    // Some file systems have no hard links.
    copyFileSync(fetched, binary)
  }
  chmodSync(binary, 0o755)
  const link = join(projectRoot, 'node_modules', '.bin', 'node')
  rmSync(link, { force: true })
  symlinkSync('../node/bin/node', link)
}

function lastLine(output) {
  return output.trim().split('\n').at(-1)
}
