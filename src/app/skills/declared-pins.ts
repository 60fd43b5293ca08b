import type { Principal } from '../../core/call.ts'
import { isToolError } from '../../core/errors.ts'
import type { Vocabulary } from '../../core/policy/level.ts'
import type { Store } from '../../core/ports.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import type { AgentConfig } from '../config-schema.ts'
import { enableSkill, takeOff } from './enable-skill.ts'
import { readPin, readSkillRule, toPinName } from './skill-rules.ts'

interface DeclaredPins {
  tenant: string
  agents: readonly AgentConfig[]
  findWords(): Promise<Vocabulary>
  store: Pick<Store, 'rules' | 'skills'>
  onWarning(message: string): void
}

const by: Principal = { kind: 'system', id: 'configuration' }

/**
 * Gives declared agents the skills that configuration says, and takes off what it says no more. What
 * people have given them stays. A skill that is not there is reported, and keeps nobody from starting.
 */
export async function syncPins(options: DeclaredPins): Promise<void> {
  const { tenant, store, agents } = options
  // Read once: there may be thousands of agents, and at most starts nothing has changed.
  const rules = await store.rules.read(tenant, ['skill', 'enabled-skill'])
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
    await store.rules.change(tenant, by, (draft) => takeOff(draft, { agent, name }))
  }
}

interface WantedPin {
  agent: string
  name: string
  version: string | undefined
}

function toWanted({ slug: agent, skills }: AgentConfig): WantedPin[] {
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
  { tenant, store, findWords, onWarning }: DeclaredPins,
): Promise<void> {
  const words = await findWords()
  try {
    await store.skills.change(tenant, by, (draft) =>
      enableSkill(draft, { ...pin, isDeclared: true }, words),
    )
  } catch (error) {
    if (!isToolError(error)) throw error
    onWarning(`The agent ${pin.agent} is not given the skill ${pin.name}: ${error.message}`)
  }
}
