import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Sandbox, SandboxListener, WorkspaceProcesses } from '../../core/host/sandbox.ts'
import type { Processes } from '../../core/kernel/context/processes.ts'
import { defaultTenant, type TenantStore } from '../../core/rules/tenant.ts'
import type { SandboxConfig } from '../../features/sandbox/config.ts'

interface SandboxParts {
  sandbox: SandboxConfig
  tenants: Pick<TenantStore, 'list'>
  env: Readonly<Record<string, string | undefined>>
  /** The data folder. */
  data: string
}

/** The last bytes of each stream of a background process that can be read. */
const bufferBytes = 512 * 1024
/** Of all processes that have ended. */
const keptBytes = 64 * 1024 * 1024

/** The sandbox of this machine. Its code is loaded by the first one who needs it. */
export function openSandbox(parts: SandboxParts): Sandbox {
  const listeners: SandboxListener[] = []
  let opening: Promise<Sandbox> | undefined
  let opened: Sandbox | undefined
  const open = () => (opening ??= load(parts, listeners).then((sandbox) => (opened = sandbox)))
  return {
    known: () => opened?.known(),
    state: async () => (await open()).state(),
    check: async () => (await open()).check(),
    processesFor: (owner) => lateProcesses(async () => (await open()).processesFor(owner)),
    processesIn: (id) => lateWorkspace(async () => (await open()).processesIn(id)),
    isBusy: (id) => opened?.isBusy(id) === true,
    stopAll: async (id) => (await opening)?.stopAll(id),
    endAll: async (id) => (await opening)?.endAll(id),
    onNotice: (listener) => void listeners.push(listener),
    close: async () => (await opening)?.close(),
  }
}

function lateWorkspace(find: () => Promise<WorkspaceProcesses>): WorkspaceProcesses {
  return {
    list: async () => (await find()).list(),
    status: async (pid) => (await find()).status(pid),
    output: async (pid, options) => (await find()).output(pid, options),
    kill: async (pid, signal) => (await find()).kill(pid, signal),
    closeInput: async (pid) => (await find()).closeInput(pid),
  }
}

function lateProcesses(find: () => Promise<Processes>): Processes {
  return {
    list: async () => (await find()).list(),
    status: async (pid) => (await find()).status(pid),
    output: async (pid, options) => (await find()).output(pid, options),
    kill: async (pid, signal) => (await find()).kill(pid, signal),
    run: async (request) => (await find()).run(request),
    start: async (request) => (await find()).start(request),
    write: async (pid, text) => (await find()).write(pid, text),
  }
}

/** The same after a restart, so that a server finds the containers it has left behind. */
function nodeName(data: string): string {
  return createHash('sha256').update(data).digest('hex').slice(0, 16)
}

async function load(
  { sandbox: config, tenants, env, data }: SandboxParts,
  listeners: readonly SandboxListener[],
): Promise<Sandbox> {
  const { createSandbox } = await import('../../host/sandbox/create-sandbox.ts')
  const { openDriver } = await import('../../host/sandbox/open-driver.ts')
  const { driver, readOnly, image } = config
  const isAlone = async () => {
    const { items } = await tenants.list({ limit: 2 })
    return items.every(({ slug }) => slug === defaultTenant)
  }
  const sandbox = createSandbox({
    driver: () => openDriver({ driver, readOnly, image, env, isAlone, node: nodeName(data) }),
    data,
    limits: config,
    commands: config.commands ?? Math.max(8, 4 * availableParallelism()),
    background: {
      perWorkspace: config.background,
      perNode: config.nodeBackground,
      bufferBytes,
      keptBytes,
      cpuSeconds: config.backgroundCpuSeconds,
    },
  })
  for (const listener of listeners) sandbox.onNotice(listener)
  return sandbox
}
