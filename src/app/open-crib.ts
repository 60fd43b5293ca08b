import type { Groups } from '../core/async/groups.ts'
import type { CribApi } from '../features/crib-api.ts'
import type { Kernel } from '../features/feature.ts'
import { createId } from '../core/kernel/ids.ts'
import {
  createKnownSecrets,
  type KnownSecrets,
  type LogStream,
} from '../core/secrets/known-secrets.ts'
import type { Registry } from '../core/registry.ts'
import { createGivenTools } from '../core/sources/given-tools.ts'
import { assertNoneRefused } from '../core/sources/tool-source.ts'
import type { Tool } from '../core/kernel/tool.ts'
import type { Gateway } from '../core/gateway/gateway.ts'
import { createCallAccess } from './api/call-access.ts'
import { findAgentFor } from './api/find-agent-for.ts'
import { openAgents } from './agents/open-agents.ts'
import type { ConfigInput } from '../core/typing/config-input.ts'
import type { OpenStore } from '../store/open-store.ts'
import type { Config } from './config/config-schema.ts'
import { type McpServers, openMcpServers } from './mcp-servers/open-mcp-servers.ts'
import { createApi } from './create-api.ts'
import { createParts } from './create-parts.ts'
import type { Parts } from './parts.ts'
import { syncCatalogue } from './governance/catalogue-sync.ts'
import { findOddRules } from './governance/odd-rules.ts'
import { checkDeclared, syncDeclared, tenantsOf } from './governance/declared.ts'
import { isOpen } from './governance/tenant-gate.ts'
import { createTenantRules } from './governance/create-tenant-rules.ts'
import { createPrincipalFinder } from './governance/principal-finder.ts'
import { followRegistry } from './governance/follow-registry.ts'
import { type LoadedConfig, loadConfig } from './config/load-config.ts'
import { openToolWorkers } from './open-tool-workers.ts'
import { createLoader, type Loader, type Reload } from './loader/create-loader.ts'
import { type FollowedLoader, followToolFiles } from './loader/follow-tool-files.ts'
import { startNodeWork } from './pipeline/node-work.ts'
import type { StoreChoice } from './data/open-configured-store.ts'
import { createCallResources } from './library/call-resources.ts'
import { createCallWatch } from './library/resource-watch.ts'
import { createCodeLibrary } from './library/code-library.ts'
import { createSkillPrompts } from './library/skill-prompts.ts'
import { syncDeclaredSkills } from '../features/skills/declared/declared-skills.ts'
import { createOperationBook, openFeatures } from './open-features.ts'
import { version } from './version.ts'

export interface OpenCribOptions {
  cwd: string
  /** Absolute. */
  data: string
  configFile?: string
  /** The folder was named for its configuration, so it must have one. */
  mustHaveConfig?: boolean
  /** The data folder must be there already. */
  mustExist?: boolean
  /** Bring calls that a crash cut off to an end (true). A command that only looks leaves them to a server. */
  recover?: boolean
  config?: ConfigInput
  database?: string
  /** Folders that replace the configured ones; absolute. */
  folders?: readonly string[]
  tools?: readonly Tool[]
  watch?: boolean
  env?: Readonly<Record<string, string | undefined>>
  store?: OpenStore
  /** What time it is, for schedules. */
  now?: () => number
  onReload?: (reload: Reload & { durationMs: number }) => void
  onWarning?: (message: string) => void
  /** Rules that name no tool, and the like, once all tools are there; a warning unless given. */
  onOddRule?: (message: string) => void
  /** Told of the configuration before anything is opened. */
  onConfig?: (config: Config) => void
}

/** An open crib with what its hosts (server, CLI, library) need beside the API. */
export interface OpenCrib {
  api: CribApi
  config: Config
  registry: Registry
  gateway: Gateway
  store: OpenStore
  groups: Groups
  /** Where this server is reached, unless its configuration says so. */
  setPublicUrl(url: string, host?: string): void
  /** Takes the secrets of calls that run or ran lately out of whatever this process prints. */
  redactLog(): LogStream
  /** New calls are refused from here on; resolves when those that run have settled. */
  drain(): Promise<void>
  close(): Promise<void>
}

/** Puts the parts together. The only place, with `main`, that knows every layer. */
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
    const crib = await assemble({ ...options, env, onWarning, knownSecrets }, loaded, store)
    return { ...crib, redactLog: knownSecrets.redactStream }
  } catch (error) {
    if (options.store === undefined) await store.close()
    throw error
  }
}

/** Loaded only when there is one to open: a database in WebAssembly takes its time. */
async function openStore(choice: StoreChoice): Promise<OpenStore> {
  const { openConfiguredStore } = await import('./data/open-configured-store.ts')
  return openConfiguredStore(choice)
}

/** Only while tools are written: a server that just runs needs no watcher. */
async function watch(
  folders: readonly string[],
  loader: Loader,
  onReload: OpenCribOptions['onReload'] = () => undefined,
): Promise<() => Promise<void>> {
  const { watchTools } = await import('./loader/watch-tools.ts')
  return watchTools(folders, loader, onReload)
}

type Assembly = OpenCribOptions &
  Required<Pick<OpenCribOptions, 'env' | 'onWarning'>> & { knownSecrets: KnownSecrets }

async function assemble(
  options: Assembly,
  { config, base, folders, mustFindFolders }: LoadedConfig,
  store: OpenStore,
): Promise<Omit<OpenCrib, 'redactLog'>> {
  const { env, knownSecrets, onWarning } = options
  // Alone with an embedded store, a command does its own work; a shared database has servers for it.
  const isRunner = options.recover !== false || store.kind === 'pglite'
  const parts = await createParts({ config, store, env, isRunner, knownSecrets, onWarning })
  const { registry, ports } = parts
  const library = createCodeLibrary()
  parts.library.push(library, createSkillPrompts(parts))
  const isolator = openToolWorkers(config.limits)
  const created = createLoader({ folders, mustFindFolders, library, isolator, ...ports })
  const loader = followToolFiles(created, { base, ...store, onWarning })
  await parts.sources.attach(loader.source)
  await loader.load()
  assertNoneRefused(await parts.sources.attach(createGivenTools(options.tools)))
  const servers = await openMcpServers(parts, onWarning)
  const unfollow = await settleRules(parts, { ...options, base, isRunner })
  const stopWatching = options.watch && (await watch(folders, loader, options.onReload))
  const state = { isDraining: false }
  const mayRun = options.recover !== false
  const nodeWork = await startNodeWork({ mayRecover: mayRun, store, ports, ...config.limits })
  if (mayRun) await parts.work.start()
  if (mayRun) servers.begin()
  const calls = createCallAccess({ ...parts, isDraining: () => state.isDraining })
  const nouns = openNouns(parts, { ...options, calls, servers, loader, mayRun })
  const { agents, features } = nouns
  async function drain(): Promise<void> {
    // Before calls are refused: what a turn has begun may end, the rest of it is left to others.
    await agents.close()
    state.isDraining = true
    await features.stop()
    // Takes no more work; what has begun is waited for below, then aborted. Until it has stopped, it
    // counts as a request: what was being taken may begin only after all else has ended.
    const stopped = parts.work.stop().finally(ports.running.enter())
    await ports.running.drain(config.limits.drainMs)
    await stopped
  }
  async function close(): Promise<void> {
    if (stopWatching) await stopWatching()
    await nodeWork.stop()
    await drain()
    await servers.stop()
    unfollow()
    await Promise.all([parts.close(), isolator.close()])
    if (options.store === undefined) await store.close()
    else await store.flush()
  }
  const { setPublicUrl, groups } = parts
  const { gateway } = servers
  const made = { loader, state, calls, ...nouns, servers, gateway }
  const api = createApi({ ...parts, ...made })
  return { api, config, registry, gateway, store, groups, setPublicUrl, drain, close }
}

interface NounOptions extends Assembly {
  calls: ReturnType<typeof createCallAccess>
  servers: McpServers
  loader: FollowedLoader
  mayRun: boolean
}

/** Opens agents and features. */
function openNouns(parts: Parts, options: NounOptions) {
  const { calls, servers, loader, mayRun, onWarning, data } = options
  const { store, feed } = parts
  const book = createOperationBook()
  const { api } = book
  const calling = { call: calls.call, decide: api.decideApproval, cancel: api.cancelCall }
  const agents = openAgents({ ...parts, ...calling, mayRun, onWarning })
  const { conversations } = agents
  const ofTools = { mcp: servers.port, fileProblems: loader.problems, call: calls.call }
  const ofServer = { data, isServer: mayRun, now: options.now ?? store.now, onWarning }
  const kernel = { ...toKernel(parts), ...ofTools, ...ofServer, engine: store.engine }
  const features = openFeatures({ ...kernel, conversations }, book)
  parts.library.push(createCallResources(api, createCallWatch(store.events, feed)))
  return { book, agents, features }
}

/** What features use of the parts. */
function toKernel(
  parts: Parts,
): Omit<
  Kernel,
  | 'engine'
  | 'isServer'
  | 'data'
  | 'now'
  | 'call'
  | 'mcp'
  | 'fileProblems'
  | 'onWarning'
  | 'conversations'
  | 'dropAgent'
> {
  const { store, ports, config, env, roles, views, authorities, work, offers, scopes } = parts
  return {
    waitForCall: parts.waitForCall,
    feed: parts.feed,
    offers,
    scopeFor: scopes.scopeFor,
    findPrincipal: createPrincipalFinder(parts),
    version,
    env,
    isTenantOpen: (slug) => isOpen(views, slug),
    async keyPermissions(tenant, id) {
      const key = await store.keys.find(tenant, id)
      const authority = key && (await authorities.ofKey(key))
      return authority?.isOver === undefined ? authority?.permissions : undefined
    },
    store,
    ports,
    config,
    roles,
    rouse: work.rouse,
    rules: createTenantRules(parts),
    findAgentFor: (caller, asked) => findAgentFor(caller, asked, views),
  }
}

interface SettleOptions {
  /** Where the configuration stands: paths in it are meant from there. */
  base: string
  isRunner: boolean
  onWarning(message: string): void
  onOddRule?: (message: string) => void
}

/** Once all tools are there: what configuration declares is checked and written, and the tools are compared with those that were. */
async function settleRules(
  parts: Parts,
  { base, isRunner, onWarning, onOddRule = onWarning }: SettleOptions,
): Promise<() => void> {
  const { config, store, registry, scopes, views } = parts
  checkDeclared(config, registry.packs())
  await syncDeclared(config, store)
  await views.refresh()
  const tenants = tenantsOf(config)
  const rules = createTenantRules(parts)
  await syncDeclaredSkills({ tenants, base, stores: parts.skills.stores, rules, onWarning })
  for (const odd of await findOddRules(config, parts)) onOddRule(odd)
  if (isRunner) {
    const { findStranded } = await import('./agents/stranded-turns.ts')
    const slugs = tenants.map(({ slug }) => slug)
    for (const stranded of await findStranded(slugs, store)) onWarning(stranded)
  }
  await store.toolDirectory?.announce(() => (isRunner ? toolNames(registry) : []))
  const keepMs = config.catalogue.keepDays * 86_400_000
  const catalogue = { store, registry, keepMs, now: store.now }
  if (isRunner) await syncCatalogue({ ...catalogue, isStart: true })
  const onChange = async () => (isRunner ? syncCatalogue(catalogue) : undefined)
  return followRegistry({ registry, scopes, events: store.events, onChange, onWarning })
}

function toolNames(registry: Registry): string[] {
  return registry.list().map(({ contract }) => contract.name)
}
