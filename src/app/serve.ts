import { setTimeout } from 'node:timers/promises'
import type { ServeOptions, ServerOptions } from '../surfaces/cli/environment.ts'
import { ToolError } from '../core/errors.ts'
import { openConsoleFiles } from '../surfaces/http/console/console-files.ts'
import { createHttpApp } from '../surfaces/http/create-http-app.ts'
import { isLoopback } from '../surfaces/http/host-check.ts'
import type { MetricsAccess } from '../surfaces/http/routes/server.ts'
import { serveHttp } from '../surfaces/http/serve-http.ts'
import { consoleFolder } from './console-folder.ts'
import { openConsoleSource } from './console-source.ts'
import { guardOutput } from './guard-output.ts'
import { createLocalOwner } from './local-owner.ts'
import { toMcpLimits } from './mcp-door-schema.ts'
import { type OpenCrib, openCrib } from './open-crib.ts'
import { ownerOf } from './owner.ts'
import { settleMemory } from './settle-memory.ts'
import { removeServerFile, writeServerFile } from './server-file.ts'
import { assertTokenAddress, createServerHosts, hostWarnings } from './server-hosts.ts'
import { keepToolTypes } from './tool-types.ts'
import { catchStrayErrors, describeError, type StrayErrors } from './stray-errors.ts'
import { version } from './version.ts'

/** Runs a server until the signal aborts; then drains: no new calls, running ones finish, all is written. */
export async function serve(options: ServeOptions): Promise<void> {
  const types = options.mode === 'dev' ? await keepToolTypes(options) : undefined
  const crib = await openCrib({
    ...toOpenOptions(options),
    watch: options.mode === 'dev',
    onReload(reload) {
      types?.update(crib.registry)
      options.onReload({ ...reload, tools: crib.registry.list().length })
    },
  })
  types?.update(crib.registry)
  const endGuard = guardOutput(crib.redactLog)
  let stray: StrayErrors | undefined
  // Not before everything is up: what goes wrong in the start must end it.
  const onServing = () => (stray = catchStrayErrors((line) => process.stderr.write(line)))
  try {
    await serveCrib(crib, options, onServing)
  } finally {
    await crib.close()
    await types?.settled()
    stray?.stop()
    endGuard()
  }
}

/** A call that is cut off by the drain still has to be written and answered before its connection goes. */
const answerMs = 2000

function toHttpLimits({ server, limits, uploads }: OpenCrib['config']) {
  return {
    maxBodyBytes: server.bodyBytes,
    maxCompletionBytes: limits.completionBytes,
    maxUploadBytes: uploads.maxBytes,
  }
}

async function serveCrib(
  crib: OpenCrib,
  options: ServeOptions,
  onServing: () => StrayErrors,
): Promise<void> {
  let stray: StrayErrors | undefined
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
      metrics: async () => (await owner.api.metrics()) + (stray?.metrics() ?? ''),
    },
    version,
    ...(files !== undefined && { console: files }),
    publicUrl: server.publicUrl,
    hosts,
    trustedProxies: Number(server.trustProxy),
    origins: server.origins,
    metrics: metricsAccess({ ...server, host }),
    limits: toHttpLimits(crib.config),
    mcpLimits: toMcpLimits(crib.config.mcp),
    onFault: ({ error, requestId }) =>
      process.stderr.write(`toolcrib: ${requestId}: ${describeError(error)}\n`),
  })
  const listening = await serveHttp(app, {
    port: options.port ?? server.port,
    host,
    hosts,
    drainMs: crib.config.limits.drainMs + answerMs,
    ...(source !== undefined && { inFront: source.inFront }),
  })
  crib.setPublicUrl(listening.url, host)
  try {
    await writeServerFile(options.data, { url: listening.url, key: owner.key, pid: process.pid })
    stray = onServing()
    options.onReady({
      url: listening.url,
      signIn: await ownerLink(crib, server.publicUrl ?? listening.url),
      tools: crib.registry.list().length,
      problems: problemsOf(crib),
      warnings: hostWarnings(hosts),
      store: crib.store.kind === 'pglite' ? `embedded store in ${options.data}` : 'PostgreSQL',
    })
    const leaveMemory = settleMemory(crib.isIdle)
    await aborted(options.signal)
    leaveMemory()
    // Whoever looks at /readyz now and then must see it before a request of theirs is refused.
    listening.withdraw()
    await setTimeout(server.drainDelayMs)
  } finally {
    await removeServerFile(options.data)
    // Requests that wait for a call end when it does, so both drain together.
    await Promise.all([listening.close(), crib.drain(), source?.close()])
  }
}

/** Files that were left out, or have warnings. */
function problemsOf({ api }: OpenCrib) {
  return api
    .loadReports()
    .filter(({ error, warnings }) => error !== undefined || warnings.length > 0)
}

/** By which whoever started the server signs in; it works on every node, once. */
async function ownerLink({ api }: OpenCrib, url: string): Promise<string> {
  const { path } = await api.createSignInLink(ownerOf(undefined, 'web'), { opensAtOnce: true })
  return new URL(path, url).href
}

/** Without a word of the configuration: open on a machine's own address, but not to what a proxy lets in. */
function metricsAccess(server: OpenCrib['config']['server']): MetricsAccess {
  const { metricsTokenEnv, publicUrl, hosts, host } = server
  const isBehindProxy = publicUrl !== undefined || hosts.length > 0
  if (metricsTokenEnv === undefined) return { isOpen: isLoopback(host) && !isBehindProxy }
  const token = process.env[metricsTokenEnv]
  if (token) return { token }
  throw new ToolError(
    'invalid_config',
    `server.metricsTokenEnv names ${metricsTokenEnv}, which is not set`,
    { fix: 'Set the variable to a long random text, or leave metricsTokenEnv out.' },
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
