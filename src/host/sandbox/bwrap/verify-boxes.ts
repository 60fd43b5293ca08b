import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SandboxCheck } from '../../../core/host/sandbox.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import type { Box, BoxOptions, DriverVerdict } from '../driver.ts'
import { attemptScript, escapeAttempts, type EscapeTargets } from './escape-attempts.ts'

interface VerifyOptions {
  open(options: BoxOptions): Promise<Box>
  hasGroups: boolean
}

/** The user of the check, if the server is root. No workspace belongs to it. */
const checkOwner = { uid: 64_999, gid: 64_999 }

const checkLimits = {
  processes: 64,
  addressSpaceMb: 4096,
  memoryMb: 512,
  fileMb: 16,
  openFiles: 128,
  cpuSeconds: 20,
  tmpMb: 16,
}

const checkMs = 30_000

/** Runs a box that tries to get out, and looks from outside whether anything of it is left. */
export async function verifyBoxes({ open, hasGroups }: VerifyOptions): Promise<DriverVerdict> {
  const scene = await setScene()
  try {
    const box = await open({ place: scene.place, limits: checkLimits })
    const attempts = escapeAttempts(scene.targets)
    const mark = `toolcrib-check-${process.pid}-${Date.now()}`
    const { output, isInTime } = await run(box, attemptScript(attempts), mark)
    const checks = attempts.map(({ name, title }, index) =>
      toCheck({ name, title }, findLine(output, index)),
    )
    const left = await findProcesses(mark)
    checks.push(
      toCheck(
        { name: 'survivors', title: 'Leaves no process behind' },
        left.length > 0 ? `${left.length} are left` : '',
      ),
    )
    if (!isInTime) return { ...unproven('The check took too long'), checks }
    const failed = checks.find(({ isOk }) => !isOk)
    if (failed !== undefined) {
      return { ...unproven(`${failed.title}: not so (${failed.detail ?? ''})`), checks }
    }
    return { isSafe: true, limits: hasGroups ? 'enforced' : 'best-effort', checks }
  } catch (error) {
    if (isToolError(error)) {
      return { ...unproven(error.message), ...(error.fix !== undefined && { fix: error.fix }) }
    }
    return unproven(error instanceof Error ? error.message : String(error))
  } finally {
    await scene.clear()
  }
}

function unproven(reason: string): DriverVerdict {
  return {
    isSafe: false,
    limits: 'none',
    checks: [],
    reason,
    fix: 'Report this, and use containers until then: sandbox: { driver: "docker" }.',
  }
}

function findLine(output: string, index: number): string | undefined {
  const line = output.split('\n').find((line) => line.startsWith(`${index}\t`))
  return line?.slice(line.indexOf('\t') + 1)
}

/** An attempt that has not reported anything has not been shown to fail. */
function toCheck(
  what: Pick<SandboxCheck, 'name' | 'title'>,
  found: string | undefined,
): SandboxCheck {
  if (found === '') return { ...what, isOk: true }
  return { ...what, isOk: false, detail: found?.slice(0, 300) ?? 'no answer' }
}

async function run(box: Box, script: string, mark: string) {
  const running = await box.spawn({
    program: 'bash',
    args: [
      '-c',
      `${script}\n(setsid sleep 300 ${mark} &) >/dev/null 2>&1; (exec -a ${mark} sleep 300 &) >/dev/null 2>&1`,
    ],
    cwd: '',
    env: {},
  })
  running.stdin.end()
  running.stderr.resume()
  const parts: Buffer[] = []
  running.stdout.on('data', (bytes: Buffer) => parts.push(bytes))
  const state = { isInTime: true }
  const timer = setTimeout(() => {
    state.isInTime = false
    running.kill('SIGKILL')
  }, checkMs)
  const closed = new Promise((resolve) => running.stdout.once('close', resolve))
  await running.ended
  await closed
  clearTimeout(timer)
  return { output: Buffer.concat(parts).toString('utf8'), isInTime: state.isInTime }
}

/** Processes of this machine with the mark in their arguments. */
async function findProcesses(mark: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.filter((line) => line.includes(mark))
}

/** A workspace with a link out of it, a file to steal, and somebody who listens. */
async function setScene() {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-check-'))
  await chmod(folder, 0o711)
  const workspace = path.join(folder, 'workspace')
  await mkdir(workspace)
  const isRoot = process.getuid?.() === 0
  const secretFile = path.join(folder, 'outside')
  // Readable by everybody: only the sandbox keeps it from being read.
  await writeFile(secretFile, 'outside')
  await chmod(secretFile, 0o644)
  await symlink(secretFile, path.join(workspace, 'link'))
  if (isRoot) await chown(workspace, checkOwner.uid, checkOwner.gid)
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const targets: EscapeTargets = {
    secretFile,
    secretText: 'outside',
    serverPid: process.pid,
    port: typeof address === 'object' && address !== null ? address.port : 0,
    mayHave: ['PATH', 'LANG', 'PWD', 'OLDPWD', 'SHLVL', '_', 'LC_ALL'],
    processes: checkLimits.processes,
    openFiles: checkLimits.openFiles,
  }
  return {
    targets,
    place: { id: 'check', folder: workspace, owner: isRoot ? checkOwner : undefined },
    async clear() {
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
