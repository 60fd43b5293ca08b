import type { TableSpec } from '../../core/kernel/views/table-spec.ts'

export interface SkillVersionsTable {
  tenant: string
  skill: string
  /** SHA-256 of its content, in hex. */
  version: string
  /** The front matter as JSON. */
  manifest: string
  bytes: number
  created_ms: number
}

export interface SkillFilesTable {
  tenant: string
  skill: string
  version: string
  path: string
  bytes: number
  is_text: boolean
  content: Uint8Array
}

export interface SkillTables {
  skill_versions: SkillVersionsTable
  skill_files: SkillFilesTable
}

/** In the order in which the rows of a deleted tenant are removed. */
export const skillTables: readonly TableSpec<keyof SkillTables>[] = [
  { name: 'skill_files', key: ['tenant', 'skill', 'version', 'path'], page: 4 },
  { name: 'skill_versions', key: ['tenant', 'skill', 'version'], page: 500 },
]
