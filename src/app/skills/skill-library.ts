import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import { wholeCharacters } from '../../core/pipeline/output/utf8.ts'
import type { Store } from '../../core/ports.ts'
import { splitFrontMatter } from '../../core/skills/front-matter.ts'
import { skillBounds } from '../../core/skills/skill-bounds.ts'
import { readManifest } from '../../core/skills/skill-manifest.ts'
import type { SkillReader } from '../../core/skills/skill-reader.ts'
import type { SkillFilePage, StoredSkillVersion } from '../../core/skills/skill-store.ts'
import { notEnabled } from './enable-skill.ts'
import { listPins, readPin, toPinName } from './skill-rules.ts'

type Stores = Pick<Store, 'rules' | 'skills'>

/** What callers may read of the skills of their agent. */
export function createSkillLibrary(store: Stores): (caller: Caller) => SkillReader {
  return ({ tenant, agent }) => ({
    async list(limit) {
      if (agent === undefined) return []
      const pins = await listPins(store.rules, { tenant, agent, limit })
      const pinned = pins.map((pin) => ({ skill: pin.skill, version: readPin(pin) ?? '' }))
      const found = await store.skills.findManifests(tenant, pinned)
      const manifests = new Map(found.map(({ skill, manifest }) => [skill, readManifest(manifest)]))
      return pinned.map(({ skill, version }) => {
        const { description = '', arguments: taken } = manifests.get(skill) ?? {}
        return { name: skill, version, description, ...(taken && { arguments: taken }) }
      })
    },
    async read(name, path, range) {
      const { version, files } = await findPinned(store, { tenant, agent, name })
      const file = { skill: name, version, path }
      const page =
        path === 'SKILL.md'
          ? await readInstructions(store, { tenant, ...file, ...range })
          : await store.skills.readFile(tenant, file, range)
      if (page === undefined) throw noFile(name, path)
      const others = path === 'SKILL.md' ? files.filter((other) => other.path !== path) : []
      return { name, version, ...toText(page), files: others }
    },
  })
}

async function findPinned(
  { rules, skills }: Stores,
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

/** What SKILL.md says after its front matter, which is for the platform and not for the reader. */
export async function readInstructions(
  { skills }: Pick<Store, 'skills'>,
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
