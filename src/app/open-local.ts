import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type {
  FetchLike,
  LocalServer,
  ServerOptions,
  WithoutData,
} from '../doors/cli/environment.ts'
import { createHttpApp } from '../doors/http/create-http-app.ts'
import { isDataFolder } from './data/data-folder.ts'
import { findSetup } from './config/load-config.ts'
import { createLocalOwner } from './local-owner.ts'
import { openCrib } from './open-crib.ts'
import { printToStderr } from './log/print-to-stderr.ts'
import { version } from './version.ts'

/** The same HTTP API in this process, for a command while no server is running. */
export async function openLocal(
  options: ServerOptions & { withoutData?: WithoutData },
): Promise<LocalServer> {
  const place = await findPlace(options, options.withoutData)
  const restore = printToStderr()
  try {
    const local = await open({ ...options, data: place.data }, place)
    return {
      ...local,
      ...(place.isNew === true && { created: place.data }),
      close: () => local.close().finally(restore),
    }
  } catch (error) {
    restore()
    await place.remove?.()
    throw error
  }
}

interface Place {
  data: string
  mustExist?: boolean
  /** It was named explicitly, and is still empty. */
  isNew?: boolean
  /** It was created for this command only. */
  remove?(): Promise<void>
}

async function open(options: ServerOptions, { mustExist, remove }: Place): Promise<LocalServer> {
  const crib = await openCrib({
    cwd: options.cwd,
    data: options.data,
    configFile: options.config,
    folders: options.tools,
    database: options.database,
    recover: false,
    mustExist,
  })
  const owner = createLocalOwner(crib.api)
  const app = createHttpApp({
    api: owner.api,
    version,
    publicUrl: crib.config.server.publicUrl,
    limits: { maxBodyBytes: crib.config.server.bodyBytes },
  })
  const fetch: FetchLike = async (address, init) => app.fetch(new Request(address, init))
  const close = async () => {
    await crib.close()
    await remove?.()
  }
  return { fetch, url: 'http://localhost', key: owner.key, close }
}

/**
 * Commands that only read do not create a data folder. A project that was never started has only
 * its tools to read: they are listed from a temporary folder. An explicitly named folder must
 * exist.
 */
async function findPlace(options: ServerOptions, withoutData?: WithoutData): Promise<Place> {
  const { data, cwd } = options
  if (withoutData === 'refuse') return { data, mustExist: true }
  const isNamed = data !== path.join(cwd, '.toolcrib')
  if (withoutData === undefined || withoutData === 'make') {
    return { data, isNew: isNamed && !(await isDataFolder(data)) }
  }
  if (isNamed || (await isDataFolder(data))) return { data, mustExist: true }
  const setup = await findSetup(cwd)
  const hasTools = setup.config !== undefined || setup.tools.length + options.tools.length > 0
  if (!hasTools && options.config === undefined) return { data, mustExist: true }
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-'))
  return { data: folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
