import { ToolError } from '../../../core/errors.ts'
import type { SkillListing } from '../../../core/skills/skill.ts'
import type { SkillsApi } from '../../../core/skills/skills-api.ts'

const moment = '2026-01-01T00:00:00.000Z'
const version = 'a'.repeat(64)
const manifest = { name: 'notes', description: 'Takes notes', tools: [], metadata: {} }

/** The skills of the memory crib: one that is always called `notes`, whatever is sent. */
export function memorySkills(): SkillsApi {
  const skills = new Map<string, SkillListing & { zip: Uint8Array }>()
  const find = (name: string) => {
    const found = skills.get(name)
    if (found !== undefined) return found
    throw new ToolError('not_found', `There is no skill ${name}`)
  }
  const change = (agent: string, skill: string, isDryRun = false) => ({
    agent,
    skill,
    version,
    grants: { added: [], removed: [], kept: [] },
    unknownTools: [],
    isDryRun,
  })
  return {
    listSkills: async () => ({ items: [...skills.values()].map(({ zip: _zip, ...one }) => one) }),
    async installSkill(caller, zip) {
      const isNew = !skills.has('notes')
      const installed = { installedAt: moment, installedBy: caller.principal }
      const facts = { name: 'notes', description: 'Takes notes', version, isDeclared: false }
      skills.set('notes', { ...facts, versions: 1, ...installed, zip })
      const lists = { warnings: [], unknownTools: [], dropped: [] }
      return { name: 'notes', version, isNew, manifest, files: 1, bytes: zip.length, ...lists }
    },
    async findSkill(_caller, name) {
      const { zip: _zip, ...listing } = find(name)
      const lists = { versions: [], files: [], enabledBy: [], unknownTools: [] }
      return { ...listing, manifest, instructions: 'Take notes.', ...lists }
    },
    async readSkillFile(_caller, { name, path }) {
      const { zip } = find(name)
      return { path, bytes: zip.length, isText: false, offset: 0, chunk: zip }
    },
    async removeSkill(_caller, name) {
      find(name)
      skills.delete(name)
    },
    listAgentSkills: async () => [],
    enableSkill: async (_caller, { agent, name, dryRun }) => change(agent, find(name).name, dryRun),
    disableSkill: async (_caller, { agent, name, dryRun }) =>
      change(agent, find(name).name, dryRun),
  }
}
