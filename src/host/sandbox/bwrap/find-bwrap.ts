import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Why a sandbox can't be had here, and what to do about it. */
export interface Obstacle {
  reason: string
  fix: string
}

export interface FoundBwrap {
  program: string
  version: string
}

/** Since this version a box can forbid namespaces inside it. */
const oldest = [0, 8, 0] as const

const otherwise = 'or run tools in containers: sandbox: { driver: "docker" } in the configuration.'

/** Finds bubblewrap in PATH, in a version that has what a box needs. */
export async function findBwrap(searchPath: string | undefined): Promise<FoundBwrap | Obstacle> {
  const program = (searchPath ?? '/usr/bin:/bin')
    .split(path.delimiter)
    .filter(path.isAbsolute)
    .map((folder) => path.join(folder, 'bwrap'))
    .find(existsSync)
  if (program === undefined) {
    return {
      reason: 'bubblewrap is not installed',
      fix: 'Install it: apt-get install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora), apk add bubblewrap (Alpine).',
    }
  }
  const text = await versionOf(program)
  const version = /\d+\.\d+\.\d+/.exec(text)?.[0]
  if (version === undefined) {
    return { reason: `${program} does not run`, fix: 'Install bubblewrap again.' }
  }
  if (isOlder(version)) {
    return {
      reason: `bubblewrap ${version} is too old`,
      fix: `Install ${oldest.join('.')} or later, ${otherwise}`,
    }
  }
  if (findShell() === undefined) {
    return { reason: 'There is no bash in /usr/bin or /bin', fix: 'Install bash.' }
  }
  return { program, version }
}

/** Boxes see the programs of this machine, so its bash is theirs. */
export function findShell(): string | undefined {
  return ['/usr/bin/bash', '/bin/bash'].find(existsSync)
}

function versionOf(program: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, ['--version'], { timeout: 10_000, env: {} }, (error, stdout) =>
      resolve(error === null ? stdout : ''),
    )
  })
}

function isOlder(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, least] of oldest.entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return part < least
  }
  return false
}

/** The settings of this machine for namespaces. A change makes earlier checks void. */
export function namespaceSettings(): Record<string, string> {
  return Object.fromEntries(
    [
      '/proc/sys/kernel/unprivileged_userns_clone',
      '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
      '/proc/sys/user/max_user_namespaces',
      '/proc/sys/kernel/osrelease',
    ].map((file) => [path.basename(file), readLine(file)]),
  )
}

function readLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

/** Translates how bwrap failed. */
export function explainFailure(output: string, settings = namespaceSettings()): Obstacle {
  const said = output.split('\n').at(0)?.slice(0, 300) ?? ''
  if (settings['max_user_namespaces'] === '0' || settings['unprivileged_userns_clone'] === '0') {
    return {
      reason: 'This system does not allow user namespaces',
      fix: 'Allow them: sysctl -w user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1 (the second on Debian only).',
    }
  }
  if (isInContainer() && /denied|not permitted|mount/i.test(said)) {
    return {
      reason: `The container that Toolcrib runs in does not allow namespaces (${said})`,
      fix: `Start it with the options that deploy/README.md names for the sandbox, ${otherwise}`,
    }
  }
  if (
    settings['apparmor_restrict_unprivileged_userns'] === '1' &&
    /denied|not permitted/i.test(said)
  ) {
    return {
      reason: 'AppArmor does not let bubblewrap create user namespaces (Ubuntu 23.10 and later)',
      fix: 'Give bwrap a profile with "userns,": see "Ubuntu" in docs/guide/sandbox.md.',
    }
  }
  if (/Can't find source path|Permission denied/.test(said)) {
    return {
      reason: `bubblewrap can't reach a folder: ${said}`,
      fix: 'Let other users pass the folders above it: chmod o+x.',
    }
  }
  return {
    reason: said === '' ? 'bubblewrap does not answer' : `bubblewrap failed: ${said}`,
    fix: 'toolcrib sandbox check tries again; docs/guide/sandbox.md lists the requirements.',
  }
}

function isInContainer(): boolean {
  return (
    existsSync('/.dockerenv') ||
    existsSync('/run/.containerenv') ||
    process.env['KUBERNETES_SERVICE_HOST'] !== undefined
  )
}
