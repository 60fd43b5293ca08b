import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { BoxOptions, SandboxDriver } from '../driver.ts'
import { killGroup, startChild } from './child-box.ts'

export const seatbeltPackage = '@anthropic-ai/sandbox-runtime'

export interface SeatbeltOptions {
  /** The program of the package; found in node_modules by default. */
  program?: string
  platform?: NodeJS.Platform
}

const checkMs = 30_000

/**
 * Seatbelt of macOS, through the sandbox runtime of Anthropic. It has one policy per process, so each
 * command has a runtime of its own. There is no process namespace: the process group is ended.
 */
export function createSeatbeltDriver(options: SeatbeltOptions = {}): SandboxDriver {
  const { platform = process.platform } = options
  async function open(box: BoxOptions): ReturnType<SandboxDriver['open']> {
    if (box.egressSocket !== undefined) {
      throw new ToolError('sandbox_unavailable', 'This sandbox has no way to our proxy', {
        fix: 'Remove the rules that allow hosts to these tools, or use another driver.',
      })
    }
    const program = options.program ?? findRuntime()
    return {
      async spawn(command) {
        const folder = await mkdtemp(path.join(tmpdir(), 'tc-'))
        await chmod(folder, 0o700)
        const settings = path.join(folder, 'settings.json')
        await writeFile(settings, JSON.stringify(seatbeltSettings(box.place)))
        return startChild({
          program: process.execPath,
          args: [program, '--settings', settings, '-c', toShellLine(command, box.limits)],
          options: {
            cwd: path.join(box.place.folder, command.cwd),
            env: { ...command.env, HOME: box.place.folder },
            detached: true,
          },
          kill: killGroup,
          afterwards: () => rm(folder, { recursive: true, force: true }),
        })
      },
    }
  }
  return {
    name: 'seatbelt',
    network: 'none',
    fingerprint: async () => undefined,
    async verify() {
      const none = { isSafe: false, limits: 'none', checks: [] } as const
      if (platform !== 'darwin') {
        const fix = 'Choose another driver: sandbox: { driver: "bwrap" } in the configuration.'
        return { ...none, reason: 'Seatbelt is part of macOS', fix }
      }
      return probe(open)
    },
    open,
    close: async () => undefined,
  }
}

/** Everything may be read but what belongs to people; only the workspace may be written. */
export function seatbeltSettings({ folder, isReadOnly = false }: BoxOptions['place']) {
  return {
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: {
      denyRead: ['/Users', '/Volumes', '/private/var/root', '/private/etc/master.passwd'],
      allowRead: [folder],
      allowWrite: isReadOnly ? [] : [folder],
      denyWrite: [],
    },
  }
}

function findRuntime(): string {
  try {
    const found = createRequire(import.meta.url).resolve(`${seatbeltPackage}/package.json`)
    return path.join(path.dirname(found), 'dist/cli.js')
  } catch (error) {
    throw new ToolError('sandbox_unavailable', `The seatbelt driver needs ${seatbeltPackage}`, {
      fix: `Install it beside toolcrib: npm install ${seatbeltPackage}`,
      cause: error,
    })
  }
}

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

function toShellLine(
  { program, args }: { program: string; args: readonly string[] },
  { openFiles, cpuSeconds, fileMb }: BoxOptions['limits'],
): string {
  const limits = [
    'ulimit -c 0',
    `ulimit -n ${openFiles}`,
    ...(cpuSeconds > 0 ? [`ulimit -t ${cpuSeconds}`] : []),
    ...(fileMb > 0 ? [`ulimit -f ${fileMb * 2048}`] : []),
  ]
  return `${limits.join('; ')}; exec ${[program, ...args].map(quote).join(' ')}`
}

/** A command that tries to write beside its workspace, and to read what is not its own. */
async function probe(open: SandboxDriver['open']): ReturnType<SandboxDriver['verify']> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-check-'))
  const workspace = path.join(folder, 'workspace')
  const limits = {
    processes: 64,
    addressSpaceMb: 0,
    memoryMb: 0,
    fileMb: 16,
    openFiles: 128,
    cpuSeconds: 20,
    tmpMb: 16,
  }
  try {
    await writeFile(path.join(folder, 'outside'), 'outside')
    await mkdir(workspace)
    const box = await open({ place: { id: 'check', folder: workspace, owner: undefined }, limits })
    const script = `( : > ../written ) 2>/dev/null && echo files
ls /Users/* >/dev/null 2>&1 && echo users
(exec 3<>/dev/tcp/1.1.1.1/53) 2>/dev/null && echo network
: > inside && echo done`
    const running = await box.spawn({ program: 'bash', args: ['-c', script], cwd: '', env: {} })
    running.stdin.end()
    running.stderr.resume()
    const timer = setTimeout(() => running.kill('SIGKILL'), checkMs)
    let output = ''
    for await (const bytes of running.stdout) output += String(bytes)
    await running.ended
    clearTimeout(timer)
    return toSeatbeltVerdict(output)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const probes: Readonly<Record<string, string>> = {
  files: 'Writes nowhere but into the workspace',
  users: 'Reads no files of people',
  network: 'Reaches no network',
}

/** Reads what the probe has reached. */
export function toSeatbeltVerdict(output: string): Awaited<ReturnType<SandboxDriver['verify']>> {
  const lines = output.split('\n')
  const isDone = lines.includes('done')
  const checks = Object.entries(probes).map(([name, title]) => ({
    name,
    title,
    isOk: isDone && !lines.includes(name),
  }))
  const failed = checks.find(({ isOk }) => !isOk)
  if (failed === undefined) return { isSafe: true, limits: 'best-effort', checks }
  const reason = isDone ? `${failed.title}: not so` : 'The sandbox runtime does not run'
  return {
    isSafe: false,
    limits: 'none',
    checks,
    reason,
    fix: 'toolcrib sandbox check tries again.',
  }
}
