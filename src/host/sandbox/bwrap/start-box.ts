import { spawn, type ChildProcess } from 'node:child_process'
import type { Duplex, Writable } from 'node:stream'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { BoxCommand, BoxEnd, BoxProcess } from '../driver.ts'
import { type BoxPipes, openBoxPipes } from './box-pipes.ts'
import { boxReports, commandScript } from './box-script.ts'
import {
  type BoxInit,
  findInit,
  signalBox,
  untilGone,
  waitingProcesses,
  yieldToServer,
} from './box-tree.ts'
import type { ControlGroup } from './control-groups.ts'
import { measureHeldFiles } from './held-files.ts'

/** Everything that bwrap is started with. */
export interface BoxLaunch {
  program: string
  /** Options of bwrap, without the program in the box. */
  args: readonly string[]
  filter: Uint8Array
  shell: string
  script: string
  env: Readonly<Record<string, string>>
  owner: { uid: number; gid: number } | undefined
  group?: ControlGroup | undefined
  startMs: number
  /** The largest file that it can write; 0 without a limit. */
  fileBytes: number
}

/** Descriptors of bwrap beside the usual three. */
export const boxFds = { control: 3, seccomp: 4, args: 5 } as const

/** A box that waits for its only command. */
export interface WaitingBox {
  isOver(): boolean
  run(command: BoxCommand): Promise<BoxProcess>
  /** Resolves when nothing of it is left. */
  destroy(): Promise<void>
}

/** Starts a box and resolves once it waits for its command, with its limits in place. */
export async function startBox(launch: BoxLaunch): Promise<WaitingBox> {
  const inside = [launch.shell, '--norc', '--noprofile', '-c', launch.script]
  const child = spawn(launch.program, ['--args', String(boxFds.args), '--', ...inside], {
    cwd: '/',
    env: launch.env,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    // Never bwrap as root: inside, the kernel would still take its command for root in some places.
    ...launch.owner,
  })
  const box = watchBox(child, launch)
  feed(child, boxFds.seccomp, launch.filter)
  try {
    // bwrap starts no process before it has read its options: all that it starts is in the group.
    // Moving one process takes the kernel up to some tens of milliseconds.
    if (child.pid !== undefined) await launch.group?.add(child.pid).catch(unlessEnded)
  } catch (error) {
    await box.destroy()
    throw error
  }
  // Not as arguments of bwrap, which the command could read in /proc/1/cmdline.
  feed(child, boxFds.args, Buffer.from(launch.args.map((text) => `${text}\0`).join('')))
  try {
    await box.reported(boxReports.ready, launch.startMs)
    const pids = waitingProcesses(child.pid ?? 0)
    box.connect(pids.at(-1) ?? 0)
    yieldToServer(pids)
  } catch (error) {
    await box.destroy()
    throw error
  }
  return {
    isOver: box.isOver,
    destroy: box.destroy,
    async run(command) {
      const script = commandScript(command)
      box.control.end(script)
      await box.reported(boxReports.started, launch.startMs).catch(async (error: unknown) => {
        await box.destroy()
        throw error
      })
      return box.process()
    },
  }
}

/** bwrap has ended already; its output has the reason. */
function unlessEnded(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ESRCH') throw error
}

function feed(child: ChildProcess, fd: number, bytes: Uint8Array): void {
  const pipe = child.stdio[fd] as Writable
  // bwrap may have failed before it read anything; its exit shows the reason.
  pipe.on('error', () => undefined)
  pipe.end(bytes)
}

/** Observes a box from outside: its reports, and its end. */
function watchBox(child: ChildProcess, { group, fileBytes }: BoxLaunch) {
  const reports = readReports(child)
  // Only bwrap and the beginning of our own script write there.
  const early: Buffer[] = []
  child.stderr?.on('data', (bytes: Buffer) => void early.push(bytes))
  child.stdin?.on('error', () => undefined)
  child.stdout?.resume()
  let pipes: BoxPipes | undefined
  let init: BoxInit | undefined
  const ended = endThen(child, async () => {
    reports.exited()
    if (init !== undefined) await untilGone(init)
    await reports.end()
    // The kernel keeps it busy for some milliseconds, which nobody has to wait for.
    group?.remove().catch(() => undefined)
  })
  ended.catch(() => undefined)

  async function reported(report: string, withinMs: number): Promise<void> {
    await reports.wait(report, withinMs)
    if (reports.has(boxReports.noFolder)) {
      throw new ToolError('not_found', 'The folder to run in does not exist', {
        fix: 'Leave out cwd for the root of the workspace, or create the folder first.',
      })
    }
    if (!reports.has(report)) {
      const said = Buffer.concat(early).toString('utf8').slice(0, 2000).trim()
      throw new BoxStartError(said, reports.isOver())
    }
    if (report === boxReports.ready) init = findInit(child.pid ?? 0)
  }
  async function destroy(): Promise<void> {
    if (!reports.isOver() && child.pid !== undefined) signalBox(child.pid, 'SIGKILL')
    pipes?.stdin.destroy()
    pipes?.stdout.destroy()
    pipes?.stderr.destroy()
    await ended.catch(() => undefined)
  }
  const process = (): BoxProcess => ({
    ...(pipes as BoxPipes),
    ended,
    heldBytes: async () => (init === undefined ? 0 : measureHeldFiles(init.pid, fileBytes)),
    kill(signal) {
      if (!reports.isOver() && child.pid !== undefined) signalBox(child.pid, signal)
    },
  })
  const connect = (shell: number) => {
    pipes = openBoxPipes(shell)
    pipes.stdin.on('error', () => undefined)
  }
  return { control: reports.control, process, connect, reported, destroy, isOver: reports.isOver }
}

/** Reads how far a box has come. */
function readReports(child: ChildProcess) {
  const control = child.stdio[boxFds.control] as Duplex
  const seen = new Set<string>()
  const waiting = new Set<() => void>()
  let isOver = false
  let isRead = false
  const wake = () => waiting.forEach((check) => check())
  control.on('error', () => undefined)
  control.on('data', (bytes: Buffer) => {
    for (const report of bytes.toString('latin1')) seen.add(report)
    wake()
  })
  return {
    control,
    has: (report: string) => seen.has(report),
    isOver: () => isOver,
    exited: () => void (isOver = true),
    /** Node may report the exit of a quick command before it has read its reports. */
    async end() {
      await closeOf(control, lastReportMs)
      isRead = true
      wake()
    },
    /** Resolves when it is there, or can't come any more, or has not come in time. */
    async wait(report: string, withinMs: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const check = () => {
        if (seen.has(report) || seen.has(boxReports.noFolder) || isRead) resolve()
      }
      waiting.add(check)
      const timer = setTimeout(resolve, withinMs)
      check()
      await promise
      clearTimeout(timer)
      waiting.delete(check)
    },
  }
}

/** All who could write there have ended by now. */
const lastReportMs = 1000

function closeOf(stream: Duplex, withinMs: number): Promise<void> {
  if (stream.closed) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, withinMs)
  stream.once('close', resolve)
  return promise.finally(() => clearTimeout(timer))
}

async function endThen(child: ChildProcess, afterwards: () => Promise<void>): Promise<BoxEnd> {
  try {
    return await endOf(child)
  } finally {
    await afterwards()
  }
}

/** A box that did not start: with what bwrap has written. */
export class BoxStartError extends Error {
  override readonly name = 'BoxStartError'
  readonly output: string
  constructor(output: string, hasEnded: boolean) {
    super(output === '' ? (hasEnded ? 'bwrap ended' : 'bwrap does not answer') : output)
    this.output = output
  }
}

/**
 * Resolves when bwrap has ended: it outlives its first process, which outlives all others. bwrap
 * itself reports a signal as an exit code.
 */
function endOf(child: ChildProcess): Promise<BoxEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (signal !== null) return resolve({ exitCode: undefined, signal })
      const ofSignal = code !== null && code > 128 ? signalNames.get(code - 128) : undefined
      if (ofSignal !== undefined) return resolve({ exitCode: undefined, signal: ofSignal })
      resolve({ exitCode: code ?? undefined, signal: undefined })
    })
  })
}

const signalNames = new Map([
  [1, 'SIGHUP'],
  [2, 'SIGINT'],
  [6, 'SIGABRT'],
  [9, 'SIGKILL'],
  [11, 'SIGSEGV'],
  [13, 'SIGPIPE'],
  [15, 'SIGTERM'],
  [24, 'SIGXCPU'],
  [25, 'SIGXFSZ'],
  [31, 'SIGSYS'],
])
