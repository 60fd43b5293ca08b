import { ToolError } from '../../../core/kernel/errors.ts'
import type { SandboxLimits } from '../../../core/host/sandbox.ts'
import type { BoxCommand } from '../driver.ts'

/** Where the workspace is inside a box. */
export const boxWorkspace = '/workspace'
/** Where the socket of the proxy is inside a box. */
export const boxEgressSocket = '/run/egress.sock'
/** The descriptor over which a box gets its command, and reports what it does. */
export const controlFd = 3

/** The ends of its pipes that a box keeps until its command starts. */
export const pipeFds = { stdin: 7, stdout: 8, stderr: 9 } as const

/** One character each: the box reports how far it has come. */
export const boxReports = { ready: 'r', noFolder: 'c', started: 's', noEgress: 'e' } as const

/** The parts of the script that differ between boxes. */
interface WaitOptions {
  limits: SandboxLimits
  /** Starts the forwarder to the proxy. */
  forwarder?: string | undefined
}

/**
 * The script of a box: closes what it has inherited, lowers its limits, and waits for one command.
 * Until then nothing of the caller runs, so that the server can put the box into its control group.
 * If the server dies first, it reads no complete command and ends.
 */
export function waitScript({ limits, forwarder }: WaitOptions): string {
  return [
    openPipes,
    // Descriptors that somebody gave to the server without meaning to. Closing 255 ends bash itself.
    'for fd in /proc/self/fd/*; do fd=${fd##*/}',
    `case $fd in 0|1|2|${keptFds.join('|')}) ;; *) eval "exec $fd>&-" ;; esac; done`,
    ...limitLines(limits),
    ...(forwarder === undefined ? [] : [forwarder, waitForProxy]),
    `printf ${boxReports.ready} >&${controlFd}`,
    // Counted in bytes, which is what a character is in this locale.
    `IFS= read -r -u ${controlFd} length || exit 125`,
    `IFS= read -r -u ${controlFd} -N "$length" script`,
    '[ "${#script}" = "$length" ] || exit 125',
    'eval "$script"',
  ].join('\n')
}

/**
 * Node's own pipes are sockets, which nobody can open by name: `echo >/dev/stderr` would fail. So a
 * box makes pipes, of which the server opens the other ends. Each is open both ways until then, as
 * one without a reader or writer could not be opened.
 */
const openPipes = [
  ...Object.values(pipeFds).map((fd) => `exec ${fd}<> <(:)`),
  `exec </dev/fd/${pipeFds.stdin} >/dev/fd/${pipeFds.stdout} 2>/dev/fd/${pipeFds.stderr}`,
].join('\n')

const keptFds = [controlFd, ...Object.values(pipeFds)]

/** A failed `ulimit` means that the limit was lower already: it can always be lowered. */
function limitLines(limits: SandboxLimits): string[] {
  const lines: [flag: string, value: number][] = [
    ['u', limits.processes],
    ['v', limits.addressSpaceMb * 1024],
    ['f', limits.fileMb * 1024],
    ['n', limits.openFiles],
    ['t', limits.cpuSeconds],
  ]
  return [
    'ulimit -c 0',
    ...lines
      .filter(([, value]) => value > 0)
      .map(([flag, value]) => `ulimit -${flag} ${Math.trunc(value)} 2>/dev/null`),
  ]
}

const waitForProxy = [
  'for try in {1..200}; do',
  '(exec 9<>/dev/tcp/127.0.0.1/3128) 2>/dev/null && break',
  `sleep 0.02; [ $try = 200 ] && printf ${boxReports.noEgress} >&${controlFd}`,
  'done',
].join('\n')

/** The command as the box reads it: its length in bytes, and a script that becomes the program. */
export function commandScript({ program, args, cwd, env }: BoxCommand): Buffer {
  const folder = cwd === '' ? boxWorkspace : `${boxWorkspace}/${cwd}`
  const script = [
    `cd -- ${quote(folder)} 2>/dev/null || { printf ${boxReports.noFolder} >&${controlFd}; exit 125; }`,
    `printf ${boxReports.started} >&${controlFd}`,
    `exec ${keptFds.map((fd) => `${fd}>&-`).join(' ')}`,
    'unset fd length script try LC_ALL',
    ...Object.entries(env).map(([name, value]) => `export ${toName(name)}=${quote(value)}`),
    `exec ${[program, ...args].map(quote).join(' ')}`,
  ].join('\n')
  const bytes = Buffer.from(script)
  return Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes])
}

/** Nothing between single quotes means anything to bash. */
function quote(text: string): string {
  if (text.includes('\0')) {
    throw new ToolError('invalid_input', 'A command contains a NUL character', {
      fix: 'Leave it out: no program can be given one.',
    })
  }
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Variables that bash does not let anybody set. */
const fixedNames = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'PPID', 'SHELLOPTS', 'UID'])

function toName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,200}$/.test(name) && !fixedNames.has(name)) return name
  throw new ToolError('invalid_input', `${JSON.stringify(name.slice(0, 100))} can't be set`, {
    fix: 'Names of environment variables have letters, digits and underscores.',
  })
}
