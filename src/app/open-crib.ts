import type { Groups } from '../core/async/groups.ts'
import type { Sandbox } from '../core/host/sandbox.ts'
import type { Gateway } from '../core/gateway/gateway.ts'
import { createId } from '../core/kernel/ids.ts'
import type { Tool } from '../core/kernel/tool.ts'
import type { Registry } from '../core/registry.ts'
import {
  createKnownSecrets,
  type KnownSecrets,
  type LogStream,
} from '../core/secrets/known-secrets.ts'
import { assertNoneRefused } from '../core/sources/tool-source.ts'
import type { ConfigInput } from '../core/typing/config-input.ts'
import type { CribApi } from '../features/crib-api.ts'
import type { OpenWorkspaces } from '../features/workspaces/open-workspaces.ts'
import type { OpenStores } from '../features/open-stores.ts'
import { openAgents } from './agents/open-agents.ts'
import type { Config } from './config/config-schema.ts'
import { type LoadedConfig, loadConfig } from './config/load-config.ts'
import { createApi } from './assembly/create-api.ts'
import type { StoreChoice } from './data/open-configured-store.ts'
import { settleRules } from './assembly/settle-rules.ts'
import type { Reload } from './loader/create-loader.ts'
import { loadTools } from './assembly/load-tools.ts'
import { openMcpServers } from './mcp-servers/open-mcp-servers.ts'
import { createOperationBook, openFeatures } from './assembly/open-features.ts'
import { openParts } from './assembly/open-parts.ts'
import { createWorkHandlers } from './pipeline/create-work-handlers.ts'
import { startNodeWork } from './pipeline/node-work.ts'
import { toKernel } from './assembly/to-kernel.ts'

export interface OpenCribOptions {
  cwd: string
  /** Absolute. */
  data: string
  configFile?: string
  /** The folder was named for its configuration, so it must have one. */
  mustHaveConfig?: boolean
  /** The data folder must exist. */
  mustExist?: boolean
  /**
   * Settle calls that a crash interrupted (default: true). A command that only reads leaves them to
   * a server.
   */
  recover?: boolean
  config?: ConfigInput
  database?: string
  /** Folders that replace the configured ones; absolute. */
  folders?: readonly string[]
  tools?: readonly Tool[]
  watch?: boolean
  env?: Readonly<Record<string, string | undefined>>
  store?: OpenStores
  /** Overrides the current time for schedules. */
  now?: () => number
  onReload?: (reload: Reload & { durationMs: number }) => void
  onWarning?: (message: string) => void
  /**
   * Reports rules that name no tool, and similar mistakes, once all tools are loaded; a warning by
   * default.
   */
  onOddRule?: (message: string) => void
  /** Called with the configuration before anything is opened. */
  onConfig?: (config: Config) => void
}

/** An open crib, with the parts that its hosts (server, CLI, library) need besides the API. */
export interface OpenCrib {
  api: CribApi
  config: Config
  registry: Registry
  gateway: Gateway
  store: OpenStores
  groups: Groups
  workspaces: OpenWorkspaces
  sandbox: Sandbox
  /** Sets the address of this server, unless configured. */
  setPublicUrl(url: string, host?: string): void
  /** Redacts the secrets of running and recent calls in all output of this process. */
  redactLog(): LogStream
  /** Refuses new calls; resolves when the running ones have settled. */
  drain(): Promise<void>
  close(): Promise<void>
}

/** Assembles the parts. The only place, with `main`, that knows every layer. */
export async function openCrib(options: OpenCribOptions): Promise<OpenCrib> {
  const env = options.env ?? process.env
  const knownSecrets = createKnownSecrets()
  const warn =
    options.onWarning ?? ((message: string) => process.stderr.write(`toolcrib: ${message}\n`))
  const onWarning = (message: string) => warn(knownSecrets.redactText(message))
  const loaded = await loadConfig({
    cwd: options.cwd,
    file: options.configFile,
    mustExist: options.mustHaveConfig,
    inline: options.config,
    tools: options.folders,
    isWithoutDefault: (options.tools ?? []).length > 0,
  })
  options.onConfig?.(loaded.config)
  const nodeId = createId('node')
  const choice = { ...options, config: loaded.config, env, nodeId, onWarning }
  const store = options.store ?? (await openStore(choice))
  try {
    const isStoreGiven = options.store !== undefined
    const given = { isStoreGiven, store, env, onWarning, knownSecrets }
    const crib = await assemble({ ...options, ...loaded, ...given })
    return { ...crib, redactLog: knownSecrets.redactStream }
  } catch (error) {
    if (options.store === undefined) await store.close()
    throw error
  }
}

/** Loaded only if used: a WebAssembly database takes time to start. */
async function openStore(choice: StoreChoice): Promise<OpenStores> {
  const { openConfiguredStore } = await import('./data/open-configured-store.ts')
  return openConfiguredStore(choice)
}

interface Assembly extends Omit<OpenCribOptions, keyof LoadedConfig>, LoadedConfig {
  store: OpenStores
  /** It was open before, and is not closed here. */
  isStoreGiven: boolean
  env: Readonly<Record<string, string | undefined>>
  knownSecrets: KnownSecrets
  onWarning(message: string): void
}

/** Opens everything, then starts it: nothing runs by itself before all of it is open. */
async function assemble(options: Assembly): Promise<Omit<OpenCrib, 'redactLog'>> {
  const { config, store } = options
  const mayRun = options.recover !== false
  // Alone with an embedded store, a command does its own work; a shared database has servers for
  // it.
  const isRunner = mayRun || store.kind === 'pglite'
  const parts = await openParts({ ...options, isRunner })
  const { ports, work, calls, sources } = parts
  const tools = await loadTools(parts, options)
  const servers = await openMcpServers(parts)
  const operations = createOperationBook()
  const agents = openAgents({ ...parts, api: operations.api })
  const kernel = toKernel(parts, { ...options, agents, tools, servers })
  const features = openFeatures(kernel, { ...parts, operations })
  for (const source of features.sources) assertNoneRefused(await sources.attach(source))
  work.handle(createWorkHandlers(ports, features.sweeps))
  const unfollow = await settleRules(parts, { ...options, isRunner })
  const stopWatching = await tools.watch()
  const nodeWork = await startNodeWork({ mayRecover: mayRun, store, ports, ...config.limits })
  if (mayRun) {
    await work.start()
    servers.begin()
    features.start()
    agents.start()
  }
  async function drain(): Promise<void> {
    // Before calls are refused: running steps of a turn can finish, and the rest is left to other
    // servers.
    await agents.close()
    calls.refuse()
    await features.stop()
    // Takes no more work; running work is awaited below, then aborted. Until it has stopped, it
    // counts as a request: work that is being taken may start only after everything else has ended.
    const stopped = work.stop().finally(ports.running.enter())
    await ports.running.drain(config.limits.drainMs)
    await stopped
    await work.close()
  }
  async function close(): Promise<void> {
    await stopWatching()
    await nodeWork.stop()
    await drain()
    await servers.stop()
    unfollow()
    await features.close()
    await Promise.all([parts.close(), tools.close()])
    if (options.isStoreGiven) await store.flush()
    else await store.close()
  }
  const library = [tools.library, ...features.library]
  const api = createApi({ ...parts, loader: tools.loader, library, features, servers, operations })
  const { registry, groups, setPublicUrl } = parts
  const { gateway } = servers
  const { workspaces, host } = parts
  const open = { api, config, registry, gateway, store, groups, workspaces }
  return { ...open, sandbox: host.sandbox, setPublicUrl, drain, close }
}
