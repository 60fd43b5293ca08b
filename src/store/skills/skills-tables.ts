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

/** What skills are made of. */
export interface SkillsTables {
  skill_versions: SkillVersionsTable
  skill_files: SkillFilesTable
}
