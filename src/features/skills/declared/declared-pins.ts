import type { Principal } from '../../../core/kernel/call.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import type { Vocabulary } from '../../../core/policy/level.ts'
import type { Rule } from '../../../core/rules/rule-store.ts'
import { enableSkill, takeOff } from '../enable-skill.ts'
import { readPin, readSkillRule, toPinName } from '../skill-rules.ts'
import type { SkillStores } from '../skill-store.ts'

/** An agent of the configuration, with its skills as `name` or `name@version`. */
export interface DeclaredAgent {
  slug: string
  skills: readonly string[]
}

interface DeclaredPins {
  tenant: string
  agents: readonly DeclaredAgent[]
  findWords(): Promise<Vocabulary>
  stores: SkillStores
  onWarning(message: string): void
}

const by: Principal = { kind: 'system', id: 'configuration' }

/**
 * Gives declared agents the skills that the configuration lists, and removes those it no longer lists.
 * Skills that people gave them stay. A missing skill is reported and does not stop the start.
 */
export async function syncPins(options: DeclaredPins): Promise<void> {
  const { tenant, stores, agents } = options
  // Read once: there may be thousands of agents, and on most starts nothing has changed.
  const rules = await stores.rules.read(tenant, ['skill', 'enabled-skill'])
  const pins = rules.filter(({ kind, isDeclared }) => kind === 'enabled-skill' && isDeclared)
  const newest = toNewest(rules.filter(({ kind }) => kind === 'skill'))
  const pinned = new Map(pins.map((rule) => [rule.name, readPin(rule)]))
  const wanted = agents.flatMap(toWanted)
  for (const pin of wanted) {
    const meant = pin.version ?? newest.get(pin.name)
    const version = pinned.get(toPinName(pin.agent, pin.name))
    const isThere = meant !== undefined && version?.startsWith(meant) === true
    if (!isThere) await give(pin, options)
  }
  const kept = new Set(wanted.map(({ agent, name }) => toPinName(agent, name)))
  const slugs = new Set(agents.map(({ slug }) => slug))
  for (const pin of pinned.keys()) {
    const [agent = '', name = ''] = pin.split('/')
    if (kept.has(pin) || !slugs.has(agent)) continue
    await stores.rules.change(tenant, by, (draft) => takeOff(draft, { agent, name }))
  }
}

interface WantedPin {
  agent: string
  name: string
  version: string | undefined
}

function toWanted({ slug: agent, skills }: DeclaredAgent): WantedPin[] {
  return skills.map((text) => {
    const [name = '', version] = text.split('@')
    return { agent, name, version }
  })
}

function toNewest(rules: readonly Rule[]): Map<string, string | undefined> {
  return new Map(rules.map((rule) => [rule.name, readSkillRule(rule)?.versions.at(-1)?.version]))
}

async function give(
  pin: WantedPin,
  { tenant, stores, findWords, onWarning }: DeclaredPins,
): Promise<void> {
  const words = await findWords()
  try {
    await stores.skills.change(tenant, by, (draft) =>
      enableSkill(draft, { ...pin, isDeclared: true }, words),
    )
  } catch (error) {
    if (!isToolError(error)) throw error
    onWarning(`The agent ${pin.agent} does not get the skill ${pin.name}: ${error.message}`)
  }
}
