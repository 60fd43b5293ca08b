import { createHash } from 'node:crypto'
import type { OpenStores } from '../../../open-stores.ts'
import type { ReadSkill } from '../../model.ts'
import type { SkillStore } from '../../skill-store.ts'
import { createSkillStore } from '../skill-store.ts'

/** A skill with these files beside its SKILL.md. Its version is made up, and the same for the same files. */
export function skillOf(files: Readonly<Record<string, string>> = {}, name = 'notes'): ReadSkill {
  const all = Object.entries({ 'SKILL.md': `---\nname: ${name}\n---\nTake notes.`, ...files })
  return {
    manifest: { name, description: 'Takes notes', tools: ['demo.add-note'], metadata: {} },
    version: createHash('sha256').update(JSON.stringify(all)).digest('hex'),
    files: all.map(([path, text]) => ({ path, bytes: new Uint8Array(Buffer.from(text)) })),
    warnings: [],
  }
}

export function skillsOf({ engine }: Pick<OpenStores, 'engine'>): SkillStore {
  return createSkillStore(engine)
}
