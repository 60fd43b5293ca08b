import { existsSync, lstatSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { freshInstall, isInstalled, markInstalled } from './install-stamp.mjs'
import { holdLock } from './lock.mjs'
import { runNpm } from './npm.mjs'
import { fetchNode, isModern, ownNodeVersion } from './own-node.mjs'
import { projectRoot } from './project-root.mjs'
import { say, withProgress } from './progress.mjs'

/**
 * Makes node_modules what the lockfile says, and does nothing when it is so already. Safe to run
 * twice at once and after an install that was cut off. Throws an Error whose message is the way out.
 */
export async function ensureInstalled() {
  if (isInstalled() && hasNode()) return
  const lock = await holdLock(join(projectRoot, '.tmp', 'install.lock'), {
    onWait: (pid) => say(`Another install is under way here (process ${pid}); waiting for it …`),
  })
  try {
    // Whoever held the lock before us may have done it all.
    if (!isInstalled()) await install(lock)
    if (!hasNode()) await fetchNode()
    markInstalled()
  } finally {
    lock.release()
  }
}

/** On a Node that runs TypeScript itself, the one in the lockfile is welcome but not needed. */
function hasNode() {
  return isModern(process.versions.node) || ownNodeVersion() !== undefined
}

async function install(lock) {
  refuseLink()
  freshInstall()
  const { code, signal, output, missing } = await withProgress(
    'Installing the packages of package-lock.json',
    // Whatever NODE_ENV or an `omit` setting says: the tools of the checkout are needed.
    runNpm(['ci', '--include=dev', '--include=optional'], {
      cwd: projectRoot,
      onStart: (pid) => lock.addOwner(pid),
    }),
  )
  if (code === 0 && existsSync(join(projectRoot, 'node_modules'))) return
  if (signal !== null || Number(code) > 128 || output.includes('process terminated')) {
    throw new Error(interrupted)
  }
  throw new Error(missing ? npmIsMissing : explain(output))
}

/** npm empties what it installs into, and would empty what somebody else uses. */
function refuseLink() {
  const stats = lstatSync(join(projectRoot, 'node_modules'), { throwIfNoEntry: false })
  if (!stats?.isSymbolicLink()) return
  throw new Error(
    'node_modules is a link to another folder that is not what package-lock.json says. Remove the link, or install there.',
  )
}

const interrupted = 'The install was interrupted. Run the command again.'

const npmIsMissing =
  'npm was not found. It comes with Node: install Node 20 or later from your package manager or nodejs.org.'

const diskIsFull =
  'The disk is full: about 600 MB are needed here and in the npm cache. Free some space, then run the command again.'

const knownFailures = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/,
    'The npm registry could not be reached. Check the network (and `npm config get registry`, `npm config get proxy`), then run the command again.',
  ],
  [
    /CERT|SELF_SIGNED/,
    "The npm registry's certificate is not trusted here. Set NODE_EXTRA_CA_CERTS to your organisation's certificate file, then run the command again.",
  ],
  [
    /EROFS|EACCES|EPERM/,
    'This folder or the npm cache can\'t be written. Check who owns them (`ls -ld . node_modules "$(npm config get cache)"`), then run the command again.',
  ],
  [
    /EINTEGRITY/,
    'A package is not the one the lockfile names. Run `npm cache clean --force`, then the command again; if it stays, the registry serves something else.',
  ],
  [
    /in sync|EUSAGE/,
    'package-lock.json does not fit package.json. Restore both from git, or run `npm install` and then `node scripts/complete-lockfile.mjs`.',
  ],
]

function explain(output) {
  const isFull = /ENOSPC|EDQUOT/.test(output) || freeMegabytes() < 50
  const known = knownFailures.find(([pattern]) => pattern.test(output))
  const lastWords = output
    .trim()
    .split('\n')
    .slice(-12)
    .map((line) => `  ${line}`)
  const wayOut = isFull
    ? diskIsFull
    : (known?.[1] ??
      'npm could not install the packages. Its last words are above; run the command again when that is mended.')
  return ['npm said:', ...lastWords, wayOut].join('\n')
}

/** A full disk shows in many ways, most of them as a file that is not whole. */
function freeMegabytes() {
  const { bavail, bsize } = statfsSync(projectRoot)
  return (bavail * bsize) / 1e6
}
