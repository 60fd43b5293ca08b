import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { SkillUser } from '../schemas.ts'
import type { RuleDraft } from '../../../core/rules/rule-store.ts'
import type { SkillDraft, SkillFilePage, SkillStore } from '../skill-store.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { parsePrincipal } from '../../../store/log/principal-text.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { changeRules } from '../../../store/rules/rule-store.ts'
import type { Tables } from '../../../store/tables.ts'
import { dropVersions, findManifests, findVersion, keepVersion, measure } from './skill-versions.ts'
import { toPage, toPageLimit } from '../../../store/engine/page.ts'

const maxPage = 1000

/** Skills on whichever engine. */
export function createSkillStore(engine: Engine): SkillStore {
  return {
    async change(tenant, by, work) {
      const result = await changeIn(engine, (transaction) =>
        changeRules(transaction, {
          tenant,
          by,
          work: (draft) => work({ ...draft, ...contentsOf(transaction, tenant) }),
        }),
      )
      engine.announce('rules')
      return result
    },
    findVersion: (tenant, skill, version) =>
      guarded(() => findVersion(engine.db, { tenant, skill, version })),
    findManifests: (tenant, versions) => guarded(() => findManifests(engine.db, tenant, versions)),
    readFile: (tenant, file, range) =>
      guarded(() => readFile(engine, { tenant, ...file, ...range })),
    listUsers: (tenant, skill, query) =>
      guarded(async () => {
        const limit = toPageLimit(query.limit, maxPage)
        const found = await users(engine.db, { tenant, skill, ...query, limit: limit + 1 })
        return toPage(found, limit, ({ agent }) => agent)
      }),
  }
}

type Contents = Omit<SkillDraft, keyof RuleDraft>

function contentsOf(transaction: Transaction<Tables>, tenant: string): Contents {
  return {
    keepVersion: (skill) => keepVersion(transaction, tenant, skill),
    dropVersions: (skill, version) => dropVersions(transaction, { tenant, skill, version }),
    findVersion: (skill, version) => findVersion(transaction, { tenant, skill, version }),
    listUsers: (skill) => users(transaction, { tenant, skill }),
    measure: () => measure(transaction, tenant),
  }
}

interface UserQuery {
  tenant: string
  skill: string
  after?: string
  limit?: number
}

/** By the index of rules whose name ends in the skill's. */
async function users(
  db: Pick<Engine['db'], 'selectFrom'>,
  { tenant, skill, after, limit }: UserQuery,
): Promise<SkillUser[]> {
  let query = db
    .selectFrom('rules')
    .select(['name', 'body', 'updated_ms', 'updated_by'])
    .where('tenant', '=', toStoredText(tenant))
    .where('kind', '=', 'enabled-skill')
    .where(sql<boolean>`split_part(name, '/', 2) = ${toStoredText(skill)}`)
    .orderBy('name')
  if (after !== undefined) query = query.where('name', '>', toStoredText(`${after}/${skill}`))
  if (limit !== undefined) query = query.limit(limit)
  const rows = await query.execute()
  return rows.map((row) => ({
    agent: row.name.split('/')[0] ?? '',
    version: versionIn(row.body),
    enabledAt: new Date(row.updated_ms).toISOString(),
    enabledBy: parsePrincipal(row.updated_by),
  }))
}

/** Empty for what was written over by other means: no version is that, so the skill is closed. */
function versionIn(body: string): string {
  try {
    const { version } = JSON.parse(body) as { version?: unknown }
    return typeof version === 'string' ? version : ''
  } catch {
    return ''
  }
}

interface FileQuery {
  tenant: string
  skill: string
  version: string
  path: string
  offset: number
  limit: number
}

async function readFile(engine: Engine, file: FileQuery): Promise<SkillFilePage | undefined> {
  const { offset, limit } = file
  const row = await engine.db
    .selectFrom('skill_files')
    .select(['path', 'bytes', 'is_text'])
    .select(
      sql<string>`encode(substring(content from ${offset + 1}::int for ${limit}::int), 'base64')`.as(
        'chunk',
      ),
    )
    .where('tenant', '=', toStoredText(file.tenant))
    .where('skill', '=', toStoredText(file.skill))
    .where('version', '=', toStoredText(file.version))
    .where('path', '=', toStoredText(file.path))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { path, bytes, is_text, chunk } = row
  return {
    path,
    bytes,
    isText: is_text,
    offset,
    chunk: new Uint8Array(Buffer.from(chunk, 'base64')),
  }
}
