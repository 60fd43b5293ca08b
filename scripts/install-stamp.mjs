import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './project-root.mjs'

const lockfile = join(projectRoot, 'package-lock.json')
const modules = join(projectRoot, 'node_modules')
const stamp = join(modules, '.toolcrib-installed')

/**
 * Whether node_modules holds what the lockfile says: by our stamp, or by npm's own record when
 * somebody ran `npm ci` or `npm install` by hand. npm writes that record last, so an install that
 * was cut off has neither.
 */
export function isInstalled() {
  const wanted = readIfThere(lockfile)
  if (wanted === undefined) throw new Error('package-lock.json is missing: restore it from git.')
  return readIfThere(stamp) === fingerprint(wanted) || isRecordedByNpm(wanted)
}

/** Called before npm starts: from here on, node_modules counts as unfinished. */
export function freshInstall() {
  rmSync(stamp, { force: true })
  rmSync(join(modules, '.package-lock.json'), { force: true })
}

/** Called when everything is in place. Moved there whole: a crash leaves no half stamp. */
export function markInstalled() {
  mkdirSync(modules, { recursive: true })
  const draft = `${stamp}.${process.pid}`
  writeFileSync(draft, fingerprint(readFileSync(lockfile, 'utf8')))
  renameSync(draft, stamp)
}

/**
 * The lockfile and the kind of machine; a checkout may be shared between a host and a container.
 * Not the version of Node: the first run may be on the machine's and the second on the lockfile's,
 * and nothing here is compiled for one of them.
 */
function fingerprint(lockText) {
  const libc = process.platform === 'linux' && existsSync('/etc/alpine-release') ? 'musl' : ''
  const machine = [process.platform, process.arch, libc].join('-')
  return `${createHash('sha256').update(lockText).digest('hex')} ${machine}\n`
}

function isRecordedByNpm(lockText) {
  const record = readIfThere(join(modules, '.package-lock.json'))
  if (record === undefined) return false
  const wanted = JSON.parse(lockText).packages
  const found = JSON.parse(record).packages
  const isSame = (path) => wanted[path]?.version === found[path].version
  const isThere = (path) => path === '' || wanted[path].optional || found[path] !== undefined
  return Object.keys(found).every(isSame) && Object.keys(wanted).every(isThere)
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
