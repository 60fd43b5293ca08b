import { createHash } from 'node:crypto'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip as gunzipWithCallback } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import { createUuid } from '../../../core/kernel/ids.ts'
import { jobSchema } from '../../../core/pipeline/record/work-order.ts'
import type { Tables } from '../../tables.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations.ts'
import { pgliteStartParams } from './pglite-settings.ts'
import { unpackTar } from './unpack-tar.ts'

const gunzip = promisify(gunzipWithCallback)

/** Beside `src` and `dist` alike. */
const packageRoot = fileURLToPath(new URL('../../../../', import.meta.url))

/**
 * Unpacks an initialised and migrated database folder that fits this version. False when there is no
 * archive of one. Starting from it takes a second instead of the four or more that initdb needs.
 */
export async function unpackPrebuiltFolder(folder: string): Promise<boolean> {
  for (const path of await archivePaths()) {
    const archive = await readFile(path).catch(() => undefined)
    if (archive === undefined) continue
    unpackTar(await gunzip(archive), folder)
    return true
  }
  return false
}

/** Builds that archive unless it is there. Run after an install or a build; safe to run twice at once. */
export async function ensurePrebuiltFolder(): Promise<{ path: string; built: boolean }> {
  const paths = await archivePaths()
  for (const path of paths) {
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return { path, built: false }
  }
  const path = paths.at(-1) ?? ''
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${createUuid()}`
  try {
    await writeFile(draft, await buildArchive())
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  return { path, built: true }
}

async function buildArchive(): Promise<Uint8Array> {
  const pglite = await PGlite.create({ dataDir: 'memory://', startParams: pgliteStartParams() })
  try {
    await migrate(new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) }))
    // The queue would make its tables by itself, in two seconds of every first start.
    const { getConstructionPlans } = await import('pg-boss')
    await pglite.exec(getConstructionPlans(jobSchema, { backend: 'pglite' }))
    for (const statement of withoutTemplates) await pglite.exec(statement)
    await pglite.exec('checkpoint')
    const archive = await pglite.dumpDataDir('gzip')
    return new Uint8Array(await archive.arrayBuffer())
  } finally {
    await pglite.close()
  }
}

/**
 * Nobody makes a second database in here, and what that would be made from is half of all files: to
 * write those is most of what unpacking takes.
 */
const withoutTemplates = [
  'update pg_database set datistemplate = false, datallowconn = true',
  'drop database template0',
  'drop database template1',
]

/** A published package brings its archive in `dist`; a checkout keeps its own out of the way. */
async function archivePaths(): Promise<string[]> {
  const name = await archiveName()
  return [
    join(packageRoot, 'dist', 'prebuilt', name),
    join(packageRoot, 'node_modules', '.cache', 'toolcrib', name),
  ]
}

/** Named for all that shapes its content, so that an old archive is never found. */
async function archiveName(): Promise<string> {
  const version = await versionOf('@electric-sql/pglite')
  const shape = [migrations, pgliteStartParams(), await versionOf('pg-boss'), withoutTemplates]
  const hash = createHash('sha256').update(JSON.stringify(shape)).digest('hex')
  return `folder-${version}-${hash.slice(0, 12)}.tar.gz`
}

async function versionOf(name: string): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve(name))
  const manifest = await readFile(join(dirname(entry), '..', 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  return version
}
