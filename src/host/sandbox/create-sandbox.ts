import type {
  ProcessNotice,
  ProcessOwner,
  ProcessPlace,
  Sandbox,
  SandboxLimits,
  SandboxListener,
  WorkspaceProcesses,
} from '../../core/host/sandbox.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type {
  Processes,
  ProcessRequest,
  ProcessResult,
  ProcessStatus,
  RunRequest,
} from '../../core/kernel/context/processes.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { BoxProcess, SandboxDriver } from './driver.ts'
import { type BackgroundProcesses, createBackgroundProcesses } from './run/background-processes.ts'
import { openBoxEgress, proxyEnv } from './run/box-egress.ts'
import { createBoxQueue } from './run/box-queue.ts'
import { createDiskWatch, type DiskWatch, type Watched } from './run/disk-watch.ts'
import { createEndedProcesses, type EndedProcesses } from './run/ended-processes.ts'
import { runCommand } from './run/run-command.ts'
import { createRunningCommands, type RunningCommands } from './run/running-commands.ts'
import { toCommand } from './run/to-command.ts'
import { createSandboxGate } from './sandbox-gate.ts'

export interface SandboxOptions {
  /** Loaded when it is first needed. */
  driver(): Promise<SandboxDriver>
  /** The data folder. */
  data: string
  limits: SandboxLimits
  /** Commands that run at once on this node; a tenant may have half of them. */
  commands: number
  background: {
    perWorkspace: number
    /** A tenant may have half of them. */
    perNode: number
    bufferBytes: number
    cpuSeconds: number
    /** Memory for the output of processes that have ended, of this node. */
    keptBytes: number
  }
}

/** The sandbox of this machine: one driver, its check, and everything that runs in it. */
export function createSandbox(options: SandboxOptions): Sandbox {
  let opened: Promise<SandboxDriver> | undefined
  const driver = () => (opened ??= options.driver())
  const listeners: SandboxListener[] = []
  const check = createSandboxGate({
    driver,
    data: options.data,
    onChecked: (state) => listeners.forEach((listener) => listener.checked?.(state)),
  })
  const queue = createBoxQueue({
    maxRunning: options.commands,
    maxPerTenant: Math.max(1, Math.ceil(options.commands / 2)),
    maxWaiting: 1000,
  })
  const workspaces = new Map<string, BackgroundProcesses>()
  const commands = createRunningCommands()
  const stopping = new AbortController()
  const parts: RunParts = {
    ...options,
    driver,
    check,
    queue,
    running: commands,
    disk: createDiskWatch(),
    workspaces,
    kept: createEndedProcesses(options.background.keptBytes),
    listeners,
    stopping: stopping.signal,
  }

  const stopAll = async (id: string) => {
    await Promise.all([workspaces.get(id)?.endAll(), commands.abort(id, narrowed(), 'writing')])
  }
  const endAll = async (id: string) => {
    await Promise.all([workspaces.get(id)?.endAll(), commands.abort(id, removed(), 'all')])
    workspaces.get(id)?.clear()
    workspaces.delete(id)
    await (await opened)?.release?.(id)
  }
  return {
    state: check.state,
    known: check.known,
    check: check.run,
    processesFor: (owner) => processesOf(owner, parts),
    processesIn: (id) => lookAfter(workspaces.get(id)),
    isBusy: (id) => commands.has(id) || (workspaces.get(id)?.running ?? 0) > 0,
    stopAll,
    endAll,
    onNotice: (listener) => void listeners.push(listener),
    async close() {
      stopping.abort(new ToolError('shutting_down', 'The server is stopping'))
      await Promise.all([...workspaces.keys()].map(endAll))
      await (await opened?.catch(() => undefined))?.close()
    },
  }
}

function lookAfter(known: BackgroundProcesses | undefined): WorkspaceProcesses {
  return {
    list: async () => known?.list() ?? [],
    status: async (pid) => requireKnown(known, pid).status(pid),
    output: async (pid, wanted) => requireKnown(known, pid).output(pid, wanted),
    kill: async (pid, signal) => requireKnown(known, pid).kill(pid, signal),
    closeInput: async (pid) => requireKnown(known, pid).closeInput(pid),
  }
}

function narrowed(): ToolError {
  return new ToolError('denied', 'The workspace allows less than when this command began', {
    fix: 'Someone with workspaces.write can change its mode.',
  })
}

function removed(): ToolError {
  return new ToolError('not_found', 'The workspace was deleted while this command ran')
}

function requireKnown(known: BackgroundProcesses | undefined, pid: number): BackgroundProcesses {
  if (known !== undefined) return known
  throw new ToolError('not_found', `There is no process ${pid}`)
}

interface RunParts extends SandboxOptions {
  check: ReturnType<typeof createSandboxGate>
  queue: ReturnType<typeof createBoxQueue>
  running: RunningCommands
  disk: DiskWatch
  workspaces: Map<string, BackgroundProcesses>
  kept: EndedProcesses
  listeners: readonly SandboxListener[]
  stopping: AbortSignal
}

function processesOf(owner: ProcessOwner, parts: RunParts): Processes {
  const known = async () => {
    const { id } = await owner.folder()
    return parts.workspaces.get(id)
  }
  return {
    run: (request) => run(request, owner, parts),
    start: (request) => start(request, owner, parts),
    list: async () => (await known())?.list() ?? [],
    status: async (pid) => requireKnown(await known(), pid).status(pid),
    output: async (pid, wanted) => requireKnown(await known(), pid).output(pid, wanted),
    write: async (pid, text) => requireKnown(await known(), pid).write(pid, text),
    kill: async (pid, signal) => requireKnown(await known(), pid).kill(pid, signal),
  }
}

/** Checks the request before the sandbox: a mistake is worth knowing at once. */
async function run(
  request: RunRequest,
  owner: ProcessOwner,
  parts: RunParts,
): Promise<ProcessResult> {
  const command = toCommand(request)
  await parts.check.assertSafe()
  const place = await findPlace(owner)
  const running = parts.running.enter(place)
  const ends = [parts.stopping, running.signal, owner.signal].filter((end) => end !== undefined)
  const signal = AbortSignal.any(ends)
  let leave: (() => void) | undefined
  try {
    leave = await parts.queue.enter(owner.caller.tenant, signal)
    await assertUnchanged(owner, place)
    const egress = await openBoxEgress({ owner, place, relays: request.relays })
    try {
      const driver = await parts.driver()
      const { limits } = parts
      const box = await driver.open({ place, limits, egressSocket: egress.socket })
      const env = egress.socket === undefined ? {} : proxyEnv
      return await runCommand(request, {
        box,
        command: { ...command, env: { ...env, ...command.env } },
        signal,
        watch: (process) => watchDisk(process, { owner, place, end: running.abort }, parts),
      })
    } finally {
      await egress.close()
    }
  } finally {
    running.leave()
    leave?.()
    if (leave !== undefined) await owner.measure(place.id)
  }
}

/** Read-only commands need no watch. */
function watchDisk(
  process: BoxProcess,
  { owner, place, end }: Pick<Watched, 'place' | 'end'> & { owner: ProcessOwner },
  { disk }: RunParts,
): () => Promise<void> {
  if (place.isReadOnly === true) return async () => undefined
  return disk.watch({ place, process, measure: owner.measure, end })
}

/** The mode may have been narrowed while the command waited for its turn. */
async function assertUnchanged(owner: ProcessOwner, place: ProcessPlace): Promise<void> {
  if (place.isReadOnly !== true && (await owner.folder()).isReadOnly === true) throw narrowed()
}

async function start(
  request: ProcessRequest,
  owner: ProcessOwner,
  parts: RunParts,
): Promise<ProcessStatus> {
  const command = toCommand(request)
  await parts.check.assertSafe()
  const place = await findPlace(owner)
  assertRoom(parts, owner.caller.tenant)
  const processes = findOrCreate(place.id, owner.caller, parts)
  return processes.add(request, async (tell) => {
    const egress = await openBoxEgress({ owner, place, relays: undefined })
    try {
      const driver = await parts.driver()
      const limits = { ...parts.limits, cpuSeconds: parts.background.cpuSeconds }
      const box = await driver.open({ place, limits, egressSocket: egress.socket })
      const env = egress.socket === undefined ? {} : proxyEnv
      await assertUnchanged(owner, place)
      const process = await box.spawn({ ...command, env: { ...env, ...command.env } })
      const end = ({ message }: ToolError) => {
        tell(`Toolcrib: ended, because it is too full here. ${message}\n`)
        process.kill('SIGKILL')
      }
      const unwatch = watchDisk(process, { owner, place, end }, parts)
      const afterwards = async () => {
        await unwatch()
        await egress.close()
        // There is no call to fail: the next one finds the workspace full.
        await owner.measure(place.id).catch(() => undefined)
      }
      process.ended.then(afterwards, afterwards)
      return process
    } catch (error) {
      await egress.close()
      throw error
    }
  })
}

/** A full workspace is not made fuller: each command could exceed the quota by as much again. */
async function findPlace(owner: ProcessOwner): Promise<ProcessPlace> {
  const place = await owner.folder()
  if (place.isReadOnly !== true) await owner.assertKept(place.id)
  return place
}

function assertRoom({ workspaces, background }: RunParts, tenant: string): void {
  const all = [...workspaces.values()]
  const count = (some: readonly BackgroundProcesses[]) =>
    some.reduce((sum, { running }) => sum + running, 0)
  const ofTenant = count(all.filter((one) => one.tenant === tenant))
  const isFull = count(all) >= background.perNode || ofTenant >= Math.ceil(background.perNode / 2)
  if (!isFull) return
  throw new ToolError('rate_limited', `${ofTenant} background processes run on this server`, {
    fix: 'Wait until some of them have ended, or end some.',
  })
}

function findOrCreate(id: string, caller: Caller, parts: RunParts): BackgroundProcesses {
  const known = parts.workspaces.get(id)
  if (known !== undefined) return known
  const tell = (kind: 'started' | 'ended', status: ProcessStatus) => {
    const notice = toNotice(id, status)
    for (const listener of parts.listeners) listener[kind]?.(caller, notice)
  }
  const created = createBackgroundProcesses({
    tenant: caller.tenant,
    kept: parts.kept,
    bufferBytes: parts.background.bufferBytes,
    maxRunning: parts.background.perWorkspace,
    onStarted: (status) => tell('started', status),
    onEnded: (status) => tell('ended', status),
  })
  parts.workspaces.set(id, created)
  return created
}

function toNotice(workspace: string, status: ProcessStatus): ProcessNotice {
  const { pid, command, exitCode, signal, startedAt, endedAt } = status
  return {
    workspace,
    pid,
    command: command.slice(0, 500),
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
    ...(endedAt !== undefined && { durationMs: Date.parse(endedAt) - Date.parse(startedAt) }),
  }
}
