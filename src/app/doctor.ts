import { access, constants, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { isToolError } from '../core/kernel/errors.ts'
import type { DoctorFinding, ServerOptions } from '../doors/cli/environment.ts'
import { checkTools } from './check-tools.ts'
import { isDataFolder } from './data/data-folder.ts'
import { readDatabaseUrl, readGivenMasterKeys } from './data/given-secrets.ts'
import { type LoadedConfig, loadConfig } from './config/load-config.ts'
import { openCrib } from './open-crib.ts'
import { ownerOf } from './owner.ts'
import { readServerFile } from './server/server-file.ts'

type Check = () => Promise<DoctorFinding[]>

/** Checks everything a crib needs and suggests fixes. Changes nothing but the store's own files. */
export async function examine(given: ServerOptions): Promise<DoctorFinding[]> {
  const options = await asRunning(given)
  const checks: Check[] = [
    checkNode,
    () => checkConfig(options),
    () => checkDataFolder(options),
    () => checkMasterKey(options),
    () => checkToolFiles(options),
    () => checkPort(options),
    () => checkStore(options),
    () => checkSandbox(options),
    () => checkWorkspaces(options),
  ]
  const findings: DoctorFinding[] = []
  for (const check of checks) {
    findings.push(...(await check().catch((error: unknown) => [toFinding('check', error)])))
    // The later checks read the configuration too, and would only repeat the error.
    if (findings.some(({ name, level }) => name === 'configuration' && level === 'error')) break
  }
  return findings
}

/**
 * A server that runs here was started with its own configuration and folders: these are checked.
 */
async function asRunning(given: ServerOptions): Promise<ServerOptions> {
  const server = await readServerFile(given.data)
  if (server === undefined || given.config !== undefined || given.tools.length > 0) return given
  const { config, tools = [], cwd = given.cwd } = server
  return { ...given, cwd, tools, ...(config !== undefined && { config }) }
}

function ok(name: string, message: string): DoctorFinding {
  return { name, level: 'ok', message }
}

function toFinding(name: string, error: unknown): DoctorFinding {
  const message = error instanceof Error ? error.message : String(error)
  const fix = isToolError(error) ? error.fix : undefined
  return { name, level: 'error', message, ...(fix !== undefined && { fix }) }
}

async function checkNode(): Promise<DoctorFinding[]> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isFine = major > 22 || (major === 22 && minor >= 18)
  if (isFine) return [ok('node', `Node ${process.versions.node}`)]
  const fix = 'Install Node 24, or run npm start in the checkout, which brings its own.'
  return [
    { name: 'node', level: 'error', message: `Node ${process.versions.node} is too old`, fix },
  ]
}

function readConfig(options: ServerOptions): Promise<LoadedConfig> {
  return loadConfig({ cwd: options.cwd, file: options.config, tools: options.tools })
}

async function checkConfig(options: ServerOptions): Promise<DoctorFinding[]> {
  try {
    const { file, folders } = await readConfig(options)
    const where =
      file === undefined ? 'no file, running on the defaults' : path.relative(options.cwd, file)
    const tools =
      folders.length === 0
        ? 'no tools folder'
        : `tools in ${folders.map((folder) => path.relative(options.cwd, folder) || '.').join(', ')}`
    if (folders.length > 0) return [ok('configuration', `${where}; ${tools}`)]
    return [
      {
        name: 'configuration',
        level: 'warning',
        message: `${where}; ${tools}`,
        fix: 'toolcrib init writes a starter.',
      },
    ]
  } catch (error) {
    return [toFinding('configuration', error)]
  }
}

async function checkDataFolder({ data }: ServerOptions): Promise<DoctorFinding[]> {
  const facts = await stat(data).catch(() => undefined)
  if (facts === undefined) return [ok('data folder', `${data} will be made at the first start`)]
  try {
    await access(data, constants.W_OK | constants.R_OK)
    return [ok('data folder', data)]
  } catch {
    const fix = 'Change its owner or rights, or name another with --data.'
    return [{ name: 'data folder', level: 'error', message: `${data} can't be written`, fix }]
  }
}

async function checkMasterKey({ data }: ServerOptions): Promise<DoctorFinding[]> {
  const given = await readGivenMasterKeys(process.env)
  if (given !== undefined) return [ok('master key', 'from the environment')]
  const file = path.join(data, 'master.key')
  const facts = await stat(file).catch(() => undefined)
  if (facts === undefined) return [ok('master key', 'will be made at the first start')]
  const isOpenToOthers = process.platform !== 'win32' && (facts.mode & 0o077) !== 0
  if (!isOpenToOthers) return [ok('master key', file)]
  return [
    {
      name: 'master key',
      level: 'warning',
      message: `${file} can be read by others`,
      fix: `chmod 600 ${file}`,
    },
  ]
}

async function checkToolFiles(options: ServerOptions): Promise<DoctorFinding[]> {
  const report = await checkTools(options)
  const errors = report.findings.filter((finding) => finding.severity === 'error')
  const rules = report.findings
    .filter(({ rule }) => rule === 'policy')
    .map(({ message }): DoctorFinding => ({ name: 'rules', level: 'warning', message }))
  if (errors.length === 0)
    return [
      ...rules,
      ok(
        'tools',
        `${counted(report.tools, 'tool')} in ${counted(report.files, 'file')}, beside the built-in ones`,
      ),
    ]
  return [
    ...rules,
    {
      name: 'tools',
      level: 'warning',
      message: `${counted(errors.length, 'error')} in ${counted(report.files, 'file')}`,
      fix: 'toolcrib check shows them.',
    },
  ]
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

async function checkPort(options: ServerOptions): Promise<DoctorFinding[]> {
  const { config } = await readConfig(options)
  const port = options.port ?? config.server.port
  const host = options.host ?? config.server.host
  const problem = await tryPort(port, host)
  const server = await readServerFile(options.data)
  if (server !== undefined) return [ok('port', `a server of this crib runs at ${server.url}`)]
  if (problem === undefined) return [ok('port', `${host}:${port} is free`)]
  return [
    {
      name: 'port',
      level: 'warning',
      message: `${host}:${port}: ${problem}`,
      fix: 'Stop what listens there, or start with --port 0.',
    },
  ]
}

function tryPort(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'EADDRINUSE' ? 'in use' : error.message),
    )
    probe.listen(port, host, () => probe.close(() => resolve(undefined)))
  })
}

/** As a server would find it. Every other tool works without one. */
async function checkSandbox(options: ServerOptions): Promise<DoctorFinding[]> {
  const { config } = await readConfig(options)
  const { openSandbox } = await import('./host/open-sandbox.ts')
  const tenants = { list: async () => ({ items: [] }) }
  const { sandbox } = config
  const opened = openSandbox({ sandbox, tenants, env: process.env, data: options.data })
  try {
    const { driver, state, limits, reason = '', fix } = await opened.check()
    if (state === 'verified') return [ok('sandbox', `${driver} holds; limits: ${limits}`)]
    const message =
      state === 'unsandboxed' ? 'programs run without one' : `programs are off: ${reason}`
    return [{ name: 'sandbox', level: 'warning', message, ...(fix !== undefined && { fix }) }]
  } finally {
    await opened.close()
  }
}

/** As root, programs have users of their own, who must get to their files. */
async function checkWorkspaces(options: ServerOptions): Promise<DoctorFinding[]> {
  const { config } = await readConfig(options)
  const { folder, firstUser } = config.workspaces
  if (process.getuid?.() !== 0) return []
  const { findClosedFolder } = await import('../host/sandbox/find-closed-folder.ts')
  // The server opens its own data folder to them when it makes the first workspace.
  const way = folder === undefined ? path.dirname(options.data) : path.resolve(folder)
  const closed = findClosedFolder(way, { uid: firstUser, gid: firstUser })
  if (closed === undefined) return []
  const message = `programs can't reach their files: ${closed} is closed to their users`
  const fix = `chmod o+x ${closed}, or put workspaces elsewhere: workspaces.folder in the configuration.`
  return [{ name: 'workspaces', level: 'warning', message, fix }]
}

/** Opens the store and finds everything that waits for a secret or a variable. */
async function checkStore(options: ServerOptions): Promise<DoctorFinding[]> {
  try {
    const { config } = await readConfig(options)
    const configured = { option: options.database, configured: config.storage.database }
    const isEmbedded = (await readDatabaseUrl(process.env, configured)) === undefined
    if (isEmbedded && !(await isDataFolder(options.data)))
      return [ok('store', 'created at the first start')]
    const crib = await openCrib({
      cwd: options.cwd,
      data: options.data,
      configFile: options.config,
      folders: options.tools,
      database: options.database,
      recover: false,
      onWarning: () => undefined,
    })
    try {
      const { items } = await crib.api.listTools(ownerOf(), { limit: 1000 })
      const waiting = items.filter((tool) => tool.state !== 'ready')
      return [
        ok(
          'store',
          crib.store.kind === 'pglite' ? 'the embedded store opens' : 'PostgreSQL answers',
        ),
        ...waiting.map((tool): DoctorFinding => ({
          name: tool.name,
          level: 'warning',
          message: tool.reason ?? tool.state,
        })),
      ]
    } finally {
      await crib.close()
    }
  } catch (error) {
    if (isToolError(error) && error.code === 'data_locked')
      return [ok('store', 'in use by the running server; commands go through it')]
    return [toFinding('store', error)]
  }
}
