import type { Principal } from '../../core/call.ts'
import { isToolError } from '../../core/errors.ts'
import type { Vocabulary } from '../../core/policy/level.ts'
import type { Store } from '../../core/ports.ts'
import type { AgentConfig } from '../config-schema.ts'
import { enableSkill, takeOff } from './enable-skill.ts'
import { listPins } from './skill-rules.ts'

interface DeclaredPins {
  tenant: string
  agents: readonly AgentConfig[]
  findWords(): Promise<Vocabulary>
  store: Pick<Store, 'rules' | 'skills'>
  onWarning(message: string): void
}

const by: Principal = { kind: 'system', id: 'configuration' }
const pinsAtMost = 1000

/**
 * Gives declared agents the skills that configuration says, and takes off what it says no more. What
 * people have given them stays. A skill that is not there is reported, and keeps nobody from starting.
 */
export async function syncPins(options: DeclaredPins): Promise<void> {
  for (const agent of options.agents) {
    await takeOffOthers(agent, options)
    for (const text of agent.skills) await give(agent.slug, text, options)
  }
}

async function give(
  agent: string,
  text: string,
  { tenant, store, findWords, onWarning }: DeclaredPins,
): Promise<void> {
  const [name = '', version] = text.split('@')
  const words = await findWords()
  const pin = { agent, name, version, isDeclared: true }
  try {
    await store.skills.change(tenant, by, (draft) => enableSkill(draft, pin, words))
  } catch (error) {
    if (!isToolError(error)) throw error
    onWarning(`The agent ${agent} is not given the skill ${text}: ${error.message}`)
  }
}

async function takeOffOthers(
  { slug: agent, skills }: AgentConfig,
  { tenant, store }: DeclaredPins,
): Promise<void> {
  const wanted = new Set(skills.map((text) => text.split('@')[0]))
  const pins = await listPins(store.rules, { tenant, agent, limit: pinsAtMost })
  const gone = pins.filter(({ isDeclared, skill }) => isDeclared && !wanted.has(skill))
  for (const { skill: name } of gone) {
    await store.rules.change(tenant, by, (draft) => takeOff(draft, { agent, name }))
  }
}
