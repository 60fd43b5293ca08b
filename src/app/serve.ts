import { setTimeout } from 'node:timers/promises'
import type { ServeOptions, ServerOptions } from '../doors/cli/environment.ts'
import { ToolError } from '../core/kernel/errors.ts'
import { openConsoleFiles } from '../doors/http/console/console-files.ts'
import { createHttpApp } from '../doors/http/create-http-app.ts'
import { isLoopback } from '../doors/http/host-check.ts'
import type { MetricsAccess } from '../doors/http/routes/server.ts'
import { serveHttp } from '../doors/http/serve-http.ts'
import { consoleFolder } from './console-folder.ts'
import { openConsoleSource } from './console-source.ts'
import { guardOutput } from './log/guard-output.ts'
import { type EnvFile, readEnvFile, watchSetup } from './dev-setup.ts'
import { createAccessLog } from './log/access-log.ts'
import { findLogSettings } from './log/log-settings.ts'
import { createServerLog, type ServerLog } from './log/server-log.ts'
import { createLocalOwner } from './local-owner.ts'
import { toMcpLimits } from './config/mcp-door-schema.ts'
import { type OpenCrib, openCrib } from './open-crib.ts'
import { ownerOf } from './owner.ts'
import { printToStderr } from './log/print-to-stderr.ts'
import { removeServerFile, writeServerFile } from './server/server-file.ts'
import { assertTokenAddress, createServerHosts, hostWarnings } from './server/server-hosts.ts'
import { keepToolTypes } from './tool-types.ts'
import { catchStrayErrors, describeError, type StrayErrors } from './log/stray-errors.ts'
import { version } from './version.ts'

/**
 * Runs a server until the signal aborts; then drains it: no new calls, running ones finish, all is
 * written.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const types = options.mode === 'dev' ? await keepToolTypes(options) : undefined
  // Programs parse our stdout, so everything else is printed to stderr.
  if (options.json) printToStderr()
  const envFile = options.mode === 'dev' ? await readEnvFile(options) : undefined
  const log = openLog(options)
  const stray = catchStrayErrors(log)
  const oddRules: string[] = []
  const crib = await openCrib({
    ...toOpenOptions(options),
    onWarning: log.warn,
    onOddRule(message) {
      oddRules.push(message)
      if (!isOnScreen(options)) log.warn(message)
    },
    onConfig: ({ logs }) =>
      log.configure(findLogSettings({ options: options.logs, env: process.env, configured: logs })),
    watch: options.mode === 'dev',
    onReload(reload) {
      types?.update(crib.registry)
      options.onReload({ ...reload, tools: crib.registry.list().length })
    },
  })
  types?.update(crib.registry)
  const endGuard = guardOutput(crib.redactLog)
  const stopWatching = options.mode === 'dev' ? await watchSetup(options) : undefined
  try {
    await serveCrib(crib, { ...options, log, stray, oddRules, ...(envFile && { envFile }) })
  } finally {
    await stopWatching?.()
    await crib.close()
    await types?.settled()
    stray.stop()
    endGuard()
    if (options.json) log.info('Stopped')
  }
}

/**
 * Until the configuration is read the default settings apply: its errors are shown by the command.
 */
function openLog({ logs: options }: ServeOptions): ServerLog {
  const first = findLogSettings({ options, env: process.env })
  return createServerLog((line) => void process.stderr.write(line), first)
}

/**
 * A call that the drain aborts still has to be recorded and answered before its connection closes.
 */
const answerMs = 2000

function toHttpLimits({ server, limits, uploads }: OpenCrib['config']) {
  return {
    maxBodyBytes: server.bodyBytes,
    maxCompletionBytes: limits.completionBytes,
    maxUploadBytes: uploads.maxBytes,
    failedAuthPerMinute: server.failedAuthPerMinute,
  }
}

async function serveCrib(crib: OpenCrib, options: LoggedOptions): Promise<void> {
  const { log, stray, oddRules } = options
  const tell = isOnScreen(options) ? () => undefined : log.info
  const { listening, hosts, key, source } = await openDoor(crib, options)
  const { url } = listening
  try {
    await writeServerFile(options.data, { url, key, pid: process.pid, ...toSetup(options) })
    stray.serving()
    const report = await describeCrib(crib, options, url)
    options.onReady({ ...report, warnings: [...hostWarnings(hosts), ...oddRules] })
    tell('Listening', { url, version })
    await aborted(options.signal)
    tell('Stopping: no new calls, running ones can finish')
    // Proxies that poll /readyz must see it before a request of theirs is refused.
    listening.withdraw()
    await setTimeout(crib.config.server.drainDelayMs)
  } finally {
    await removeServerFile(options.data)
    // Requests that wait for a call end when it does, so both drain together.
    await Promise.all([listening.close(), crib.drain(), source?.close()])
  }
}

type LoggedOptions = ServeOptions & {
  log: ServerLog
  stray: StrayErrors
  oddRules: readonly string[]
  envFile?: EnvFile
}

/** The report is shown in the terminal, so the log need not repeat it. */
function isOnScreen({ json }: ServeOptions): boolean {
  return process.stderr.isTTY && !json
}

/** Listens for requests. */
async function openDoor(crib: OpenCrib, options: LoggedOptions) {
  const { log, stray } = options
  const access = log.settings.access ? createAccessLog(log) : undefined
  const owner = createLocalOwner(crib.api)
  const { server } = crib.config
  const host = options.host ?? server.host
  assertTokenAddress(server, host)
  const hosts = createServerHosts(server, host)
  const source = options.isConsoleFromSource ? openConsoleSource() : undefined
  const files = source?.files ?? openConsoleFiles(consoleFolder)
  const app = createHttpApp({
    api: {
      ...owner.api,
      metrics: async () => (await owner.api.metrics()) + stray.metrics(),
    },
    version,
    ...(files !== undefined && { console: files }),
    hosts,
    ...toDoorSettings(crib.config, host),
    onFault: ({ error, ...request }) =>
      log.error('A request failed unexpectedly', { ...request, stack: describeError(error) }),
    ...(access !== undefined && { onCaller: access.noteCaller }),
  })
  const listening = await serveHttp(app, {
    port: options.port ?? server.port,
    host,
    hosts,
    drainMs: crib.config.limits.drainMs + answerMs,
    ...(access !== undefined && { onRequest: access.begin }),
    ...(source !== undefined && { inFront: source.inFront }),
  })
  crib.setPublicUrl(listening.url, host)
  return { listening, hosts, key: owner.key, source }
}

/** HTTP settings of the configuration. */
function toDoorSettings(config: OpenCrib['config'], host: string) {
  const { server, mcp } = config
  return {
    publicUrl: server.publicUrl,
    trustedProxies: Number(server.trustProxy),
    origins: server.origins,
    metrics: metricsAccess({ ...server, host }),
    limits: toHttpLimits(config),
    mcpLimits: toMcpLimits(mcp),
  }
}

function toSetup({ config, tools, cwd }: ServeOptions) {
  return { tools, cwd, ...(config !== undefined && { config }) }
}

async function describeCrib(crib: OpenCrib, options: LoggedOptions, url: string) {
  const { data, envFile } = options
  const builtIn = crib.registry
    .list()
    .filter(({ contract }) => contract.source === 'builtin').length
  return {
    url,
    builtIn,
    ...(envFile && { envFile }),
    ...(await ownerLink(crib, options, crib.config.server.publicUrl ?? url)),
    tools: crib.registry.list().length,
    problems: problemsOf(crib),
    store: crib.store.kind === 'pglite' ? `embedded store in ${data}` : 'PostgreSQL',
  }
}

/** Files that were skipped, or have warnings. */
function problemsOf({ api }: OpenCrib) {
  return api
    .loadReports()
    .filter(({ error, warnings }) => error !== undefined || warnings.length > 0)
}

/**
 * The one-time link that signs in as the owner; it works on every node, once. It is not printed
 * where the output may be kept as a log.
 */
async function ownerLink(
  { api, config }: OpenCrib,
  { signInLink, isWatched }: ServeOptions,
  url: string,
): Promise<{ signIn?: string }> {
  const setting = signInLink ?? config.signIn.startLink
  const isWanted = setting === 'auto' ? isWatched : setting === 'always'
  if (!isWanted) return {}
  const path = await api.createStartLink(ownerOf(undefined, 'web'))
  return { signIn: new URL(path, url).href }
}

/** By default, open on loopback only, and not behind a proxy. */
function metricsAccess(server: OpenCrib['config']['server']): MetricsAccess {
  const { metricsTokenEnv, publicUrl, hosts, host } = server
  const isBehindProxy = publicUrl !== undefined || hosts.length > 0
  if (metricsTokenEnv === undefined) return { isOpen: isLoopback(host) && !isBehindProxy }
  const token = process.env[metricsTokenEnv]
  if (token) return { token }
  throw new ToolError(
    'invalid_config',
    `server.metricsTokenEnv names ${metricsTokenEnv}, which is not set`,
    { fix: 'Set the variable to a long random text, or omit metricsTokenEnv.' },
  )
}

function toOpenOptions(options: ServerOptions) {
  return {
    cwd: options.cwd,
    data: options.data,
    configFile: options.config,
    folders: options.tools,
    database: options.database,
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
