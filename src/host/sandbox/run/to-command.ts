import path from 'node:path'
import type { ProcessRequest } from '../../../core/kernel/context/processes.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { BoxCommand } from '../driver.ts'

/** Where the workspace is inside every sandbox. */
export const workspaceInside = '/workspace'

const maxCommandBytes = 100_000
const maxEnvBytes = 100_000

/** A minimal environment. Nothing of the server's own is in it. */
const plainEnv = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/tmp',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  USER: 'box',
  LOGNAME: 'box',
  SHELL: '/bin/bash',
}

/** Checks a request and completes it. */
export function toCommand(
  { command, cwd, env = {} }: ProcessRequest,
  more: Readonly<Record<string, string>> = {},
): BoxCommand {
  const [program, ...args]: [string, ...string[]] =
    typeof command === 'string' ? ['bash', '-c', command] : [...command]
  if (program === '' || (typeof command === 'string' && command.trim() === '')) {
    throw new ToolError('invalid_input', 'The command is empty')
  }
  assertSize('command', [program, ...args], maxCommandBytes)
  assertSize('environment', Object.entries(env).flat(), maxEnvBytes)
  return { program, args, cwd: toFolder(cwd), env: { ...plainEnv, ...more, ...env } }
}

function assertSize(what: string, texts: readonly string[], most: number): void {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0)
  if (bytes <= most) return
  throw new ToolError('invalid_input', `The ${what} has ${bytes} bytes; ${most} are allowed`, {
    fix: 'Write it to a file of the workspace, and run that.',
  })
}

/** The folder beneath the workspace. A command could go anywhere in its box; this is about typos. */
function toFolder(cwd = ''): string {
  const inside = path.posix.normalize(path.posix.resolve(workspaceInside, cwd))
  if (inside === workspaceInside) return ''
  if (inside.startsWith(`${workspaceInside}/`)) return inside.slice(workspaceInside.length + 1)
  throw new ToolError('invalid_input', `${JSON.stringify(cwd)} is not in the workspace`, {
    fix: 'Give a folder of the workspace, or leave it out.',
  })
}

/** A command as one line, for lists and events. */
export function commandLine({ command }: Pick<ProcessRequest, 'command'>): string {
  if (typeof command === 'string') return command
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}
