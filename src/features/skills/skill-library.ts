import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { wholeCharacters } from '../../core/kernel/text/utf8.ts'
import { splitFrontMatter } from './files/front-matter.ts'
import { readManifest } from './files/skill-manifest.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import type {
  EnabledSkill,
  SkillFileEntry,
  SkillReader,
} from '../../core/kernel/context/skill-reader.ts'
import type { SkillFilePage, SkillStore, SkillStores, StoredSkillVersion } from './skill-store.ts'
import { notEnabled } from './enable-skill.ts'
import { skillBounds, type SkillManifest } from './model.ts'
import {
  listPins,
  pickVersion,
  readPin,
  skillNotFound,
  skillUnreadable,
  toPinName,
} from './skill-rules.ts'

/** The skills of an agent, as its callers may read them. */
export function createSkillLibrary(stores: SkillStores): (caller: Caller) => SkillReader {
  return ({ tenant, agent }) => ({
    async list(limit) {
      if (agent === undefined) return []
      const pins = await listPins(stores.rules, { tenant, agent, limit })
      const pinned = pins.map((pin) => ({ skill: pin.skill, version: readPin(pin) ?? '' }))
      return describeSkills(stores, tenant, pinned)
    },
    async read(name, path, range) {
      const { version, files } = await findPinned(stores, { tenant, agent, name })
      const file = { skill: name, version, path }
      const page =
        path === 'SKILL.md'
          ? await readInstructions(stores.skills, { tenant, ...file, ...range })
          : await stores.skills.readFile(tenant, file, range)
      if (page === undefined) throw noFile(name, path)
      const others = path === 'SKILL.md' ? files.filter((other) => other.path !== path) : []
      return { name, version, ...toText(page), files: others }
    },
  })
}

/** These versions, with what their manifests say. */
export async function describeSkills(
  { skills }: SkillStores,
  tenant: string,
  versions: readonly { skill: string; version: string }[],
): Promise<EnabledSkill[]> {
  const found = await skills.findManifests(tenant, versions)
  const manifests = new Map(found.map(({ skill, manifest }) => [skill, readManifest(manifest)]))
  return versions.map(({ skill, version }) => {
    const { description = '', arguments: taken } = manifests.get(skill) ?? {}
    return { name: skill, version, description, ...(taken && { arguments: taken }) }
  })
}

/** An installed skill in the version that is asked for, or the newest. */
export async function readInstalled(
  { rules, skills }: SkillStores,
  tenant: string,
  { name, version: asked }: { name: string; version?: string },
): Promise<InstalledSkill> {
  const rule = await rules.find(tenant, 'skill', name)
  if (rule === undefined) throw skillNotFound(name)
  const version = pickVersion(rule, asked)
  const key = { tenant, skill: name, version, offset: 0, limit: skillBounds.textBytes }
  const [stored, text] = await Promise.all([
    skills.findVersion(tenant, name, version),
    readInstructions(skills, key),
  ])
  const manifest = stored && readManifest(stored.manifest)
  if (stored === undefined || manifest === undefined)
    throw skillUnreadable(name, 'Install it again, or remove it with force.')
  const instructions = new TextDecoder().decode(text?.chunk)
  return { rule, version, manifest, instructions, files: stored.files }
}

interface InstalledSkill {
  rule: Rule
  version: string
  manifest: SkillManifest
  /** SKILL.md after its front matter. */
  instructions: string
  files: readonly SkillFileEntry[]
}

async function findPinned(
  { rules, skills }: SkillStores,
  { tenant, agent, name }: { tenant: string; agent: string | undefined; name: string },
): Promise<StoredSkillVersion> {
  if (agent === undefined) {
    throw new ToolError('not_found', 'Only agents have skills', {
      fix: 'Call as the agent that has it.',
    })
  }
  const pin = await rules.find(tenant, 'enabled-skill', toPinName(agent, name))
  const version = pin && readPin(pin)
  const stored = version === undefined ? undefined : await skills.findVersion(tenant, name, version)
  if (stored !== undefined) return stored
  throw notEnabled(agent, name)
}

/**
 * The text of SKILL.md after its front matter, which is for the platform and not for the reader.
 */
async function readInstructions(
  skills: SkillStore,
  {
    tenant,
    offset,
    limit,
    ...file
  }: { tenant: string; skill: string; version: string; offset: number; limit: number },
): Promise<SkillFilePage | undefined> {
  const whole = await skills.readFile(
    tenant,
    { ...file, path: 'SKILL.md' },
    { offset: 0, limit: skillBounds.textBytes },
  )
  if (whole === undefined) return undefined
  const text = splitFrontMatter(new TextDecoder().decode(whole.chunk))?.text ?? ''
  const bytes = new TextEncoder().encode(text)
  const chunk = bytes.subarray(offset, offset + limit)
  return { path: 'SKILL.md', bytes: bytes.length, isText: true, offset, chunk }
}

function toText({ chunk, ...page }: SkillFilePage) {
  if (!page.isText) return page
  const isLast = page.offset + chunk.length >= page.bytes
  const length = isLast ? chunk.length : wholeCharacters(chunk)
  const text = new TextDecoder().decode(chunk.subarray(0, length))
  return isLast ? { ...page, text } : { ...page, text, next: page.offset + length }
}

function noFile(name: string, path: string): ToolError {
  return new ToolError(
    'not_found',
    `The skill ${name} has no file ${JSON.stringify(path.slice(0, 200))}`,
    { fix: 'Read the skill without a path to see its files.' },
  )
}
