import { ToolError } from '../../core/kernel/errors.ts'
import type { Processes, RunRequest } from '../../core/kernel/context/processes.ts'

/**
 * These switch off settings by which a repository could start programs or redirect requests. Git
 * still runs in the sandbox, because filters in its settings cannot be switched off.
 */
const flags = [
  '-c core.hooksPath=/dev/null',
  '-c core.fsmonitor=false',
  '-c core.pager=cat',
  '-c protocol.allow=never',
  '-c protocol.http.allow=always',
  '-c protocol.https.allow=always',
  '-c core.symlinks=false',
  '-c credential.helper=',
  '-c submodule.recurse=false',
  '-c http.followRedirects=false',
  '-c http.lowSpeedLimit=1000',
  '-c http.lowSpeedTime=60',
  '-c gc.auto=0',
  '-c maintenance.auto=false',
  '-c advice.detachedHead=false',
].flatMap((flag) => flag.split(' '))

const environment = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  GIT_EDITOR: '/bin/true',
  GIT_LITERAL_PATHSPECS: '1',
  HOME: '/nonexistent',
  LC_ALL: 'C',
}

export interface GitRequest extends Pick<
  RunRequest,
  'stdin' | 'relays' | 'env' | 'maxOutputBytes'
> {
  args: readonly string[]
  /** Lines for bash that are run instead, with git and its flags as `"$@"`. */
  script?: string
  /** The folder of the repository; the root of the workspace unless given. */
  cwd?: string | null | undefined
  timeoutMs?: number
}

export interface GitResult {
  exitCode: number
  stdout: string
  stderr: string
  /** Its output is longer than this. */
  isCut: boolean
}

/** Lists with names inside are longer than this only in repositories nobody reads by eye. */
const usualOutputBytes = 4 * 1_048_576
const usualTimeoutMs = 60_000

/** Runs git in the sandbox, whatever its exit code. */
export async function runGit(processes: Processes, run: GitRequest): Promise<GitResult> {
  const { args, script, cwd, env = {}, timeoutMs = usualTimeoutMs, ...rest } = run
  const command = ['git', ...flags] as const
  const result = await processes.run({
    maxOutputBytes: usualOutputBytes,
    ...rest,
    command:
      script === undefined ? [...command, ...args] : ['bash', '-c', script, 'bash', ...command],
    env: { ...environment, ...env },
    timeoutMs,
    ...(cwd != null && { cwd }),
  })
  if (result.timedOut) {
    const seconds = Math.round(timeoutMs / 1000)
    throw new ToolError('timeout', `git ${nameOf(args)} did not end within ${seconds} seconds`)
  }
  if (result.exitCode === undefined) {
    const message = `git ${nameOf(args)} was ended by ${result.signal ?? 'a signal'}`
    throw new ToolError('tool_failed', message, { fix: 'It may need more memory than it gets.' })
  }
  return {
    exitCode: result.exitCode,
    stdout: new TextDecoder().decode(result.stdout),
    stderr: new TextDecoder().decode(result.stderr),
    isCut: result.dropped.stdout > 0,
  }
}

/** Runs git and returns its output. Throws `tool_failed` with git's message if it fails. */
export async function git(processes: Processes, run: GitRequest): Promise<string> {
  const result = await runGit(processes, run)
  if (result.exitCode !== 0) throw toGitError(run.args, result)
  return result.stdout
}

/** Git's own words, the last of which say why. */
export function toGitError(
  args: readonly string[],
  { exitCode, stdout, stderr }: GitResult,
): ToolError {
  if (/not a git repository/.test(stderr)) {
    return new ToolError('not_found', 'There is no git repository in this folder', {
      fix: 'Name the folder of the repository in path, or clone it first with git.clone.',
    })
  }
  const said = (stderr.trim() === '' ? stdout : stderr).trim().split('\n').slice(-6)
  const words = said.map((line) => line.replace(/^(?:fatal|error): /, '')).join('\n')
  const message = `git ${nameOf(args)} failed: ${words === '' ? `exit code ${exitCode}` : words}`
  return new ToolError('tool_failed', message.slice(0, 2000))
}

/** The command itself, after options such as `-C` and `-c`. */
function nameOf(args: readonly string[]): string {
  return (
    args.find((arg, index) => !arg.startsWith('-') && !/^-[cC]$/.test(args[index - 1] ?? '')) ?? ''
  )
}
