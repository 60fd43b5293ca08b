import { storeTime } from '../../../core/kernel/ids.ts'
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { isText } from '../files/skill-files.ts'
import type { ReadSkill, SkillFile } from '../model.ts'
import type { StoredSkillVersion } from '../skill-store.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import type { Tables } from '../../../store/tables.ts'

interface VersionKey {
  tenant: string
  skill: string
  version: string
}

/** The approximate size of one statement: PGlite runs each on the JavaScript thread. */
const batchBytes = 512 * 1024

/** Writes a version with its files, unless it exists: the same content has the same name. */
export async function keepVersion(
  transaction: Transaction<Tables>,
  tenant: string,
  { manifest, version, files }: ReadSkill,
): Promise<void> {
  const key = { tenant: toStoredText(tenant), skill: manifest.name, version }
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('skill_versions')
    .values({ ...key, manifest: JSON.stringify(manifest), bytes, created_ms: storeTime() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return
  for (const batch of toBatches(files)) {
    const rows = batch.map(({ path, bytes: content }) => ({
      ...key,
      path,
      bytes: content.length,
      is_text: isText(content),
      // As bytes they would be written out in hex, which takes the embedded engine seconds.
      content: sql<Uint8Array>`decode(${toBase64(content)}, 'base64')`,
    }))
    await transaction.insertInto('skill_files').values(rows).execute()
  }
}

/** One version or all, with their files. */
export async function dropVersions(
  transaction: Transaction<Tables>,
  { tenant, skill, version }: Omit<VersionKey, 'version'> & { version?: string },
): Promise<void> {
  const all = transaction
    .deleteFrom('skill_versions')
    .where('tenant', '=', toStoredText(tenant))
    .where('skill', '=', toStoredText(skill))
  await (version === undefined ? all : all.where('version', '=', version)).execute()
}

export async function findVersion(
  db: Pick<Engine['db'], 'selectFrom'>,
  { tenant, skill, version }: VersionKey,
): Promise<StoredSkillVersion | undefined> {
  const row = await db
    .selectFrom('skill_versions')
    .select('manifest')
    .where('tenant', '=', toStoredText(tenant))
    .where('skill', '=', toStoredText(skill))
    .where('version', '=', toStoredText(version))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const files = await db
    .selectFrom('skill_files')
    .select(['path', 'bytes', 'is_text'])
    .where('tenant', '=', toStoredText(tenant))
    .where('skill', '=', toStoredText(skill))
    .where('version', '=', toStoredText(version))
    .orderBy('path')
    .execute()
  return {
    skill,
    version,
    manifest: parseManifest(row.manifest),
    files: files.map(({ path, bytes, is_text }) => ({ path, bytes, isText: is_text })),
  }
}

/** The manifests of several versions at once. */
export async function findManifests(
  db: Pick<Engine['db'], 'selectFrom'>,
  tenant: string,
  versions: readonly Omit<VersionKey, 'tenant'>[],
): Promise<Omit<StoredSkillVersion, 'files'>[]> {
  const wanted = new Set(versions.map(({ skill, version }) => `${skill} ${version}`))
  const rows = await db
    .selectFrom('skill_versions')
    .select(['skill', 'version', 'manifest'])
    .where('tenant', '=', toStoredText(tenant))
    .where('skill', 'in', ['', ...versions.map(({ skill }) => toStoredText(skill))])
    .where('version', 'in', ['', ...versions.map(({ version }) => toStoredText(version))])
    .execute()
  return rows
    .filter(({ skill, version }) => wanted.has(`${skill} ${version}`))
    .map(({ manifest, ...key }) => ({ ...key, manifest: parseManifest(manifest) }))
}

/** How much a tenant has. */
export async function measure(
  transaction: Transaction<Tables>,
  tenant: string,
): Promise<{ skills: number; bytes: number }> {
  const row = await transaction
    .selectFrom('skill_versions')
    .select([
      sql<number>`count(distinct skill)::int`.as('skills'),
      sql<number>`coalesce(sum(bytes), 0)::float8`.as('bytes'),
    ])
    .where('tenant', '=', toStoredText(tenant))
    .executeTakeFirstOrThrow()
  return { skills: row.skills, bytes: row.bytes }
}

/** Invalid JSON is returned as text: it is not a manifest, so the skill denies everything. */
function parseManifest(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

function toBatches(files: readonly SkillFile[]): SkillFile[][] {
  const batches: SkillFile[][] = []
  let room = 0
  for (const file of files) {
    const last = batches.at(-1)
    room -= file.bytes.length
    if (last !== undefined && room >= 0 && last.length < 100) last.push(file)
    else {
      batches.push([file])
      room = batchBytes - file.bytes.length
    }
  }
  return batches
}
