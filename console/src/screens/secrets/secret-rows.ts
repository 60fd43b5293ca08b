import type { Api } from '../../api/client.ts'
import { locale } from '../../ui/format/locale.ts'

type Overview = Api<'Secrets'>
export type SecretRequirement = Api<'SecretRequirement'>

/** A row of the list: a secret that is set, or one that tools declare. */
export interface SecretRow {
  name: string
  /** The only agent it applies to. */
  agent?: string
  /** The tool's label for it, if it says more than the name. */
  label?: string
  state: 'set' | 'missing' | 'unset'
  /** The value of a choice, which is not secret. */
  value?: string
  /** Tools that can't run without it. */
  requiredBy: readonly string[]
  /** All tools that use it. */
  usedBy: readonly string[]
  updatedAt?: string
  version?: number
  /** The description entered by a person. */
  description?: string
  expiresAt?: string
  hasCheck: boolean
  /** The declaration by tools, if there is one. */
  requirement?: SecretRequirement
}

/** Missing secrets first, then by name, the tenant's value before those of agents. */
export function toSecretRows(pages: readonly Overview[]): SecretRow[] {
  const requirements = pages.flatMap((page) => page.requirements)
  const needs = new Map(requirements.map((need) => [need.name, need]))
  const items = pages.flatMap((page) => page.items)
  const set = items.map((item): SecretRow => {
    const { name, agent, usedBy, updatedAt, version, description, expiresAt, isEmpty } = item
    const need = needs.get(name)
    const own = agent === undefined ? need : need?.agents.find((one) => one.agent === agent)
    return {
      ...factsOf(name, need),
      usedBy: need === undefined ? usedBy : toolsOf(need),
      ...(agent !== undefined && { agent }),
      ...(own?.value !== undefined && { value: own.value }),
      state: isEmpty === true ? 'missing' : 'set',
      updatedAt,
      version,
      ...(description !== undefined && { description }),
      ...(expiresAt !== undefined && { expiresAt }),
    }
  })
  const listed = new Set(set.filter(({ agent }) => agent === undefined).map(({ name }) => name))
  const unset = requirements
    .filter(({ name }) => !listed.has(name))
    .map((need): SecretRow => ({
      ...factsOf(need.name, need),
      ...(need.value !== undefined && { value: need.value }),
      // A secret that is set but not on a loaded page is not missing.
      state: need.isSet ? 'set' : need.requiredBy.length > 0 ? 'missing' : 'unset',
    }))
  return [...unset, ...set].toSorted(
    (a, b) =>
      Number(b.state === 'missing') - Number(a.state === 'missing') ||
      a.name.localeCompare(b.name, locale) ||
      (a.agent ?? '').localeCompare(b.agent ?? '', locale),
  )
}

function factsOf(name: string, need: SecretRequirement | undefined) {
  return {
    name,
    requiredBy: need?.requiredBy ?? [],
    usedBy: need === undefined ? [] : toolsOf(need),
    hasCheck: need?.hasCheck ?? false,
    ...(need !== undefined && { requirement: need }),
    ...(need !== undefined && need.label !== name && { label: need.label }),
  }
}

function toolsOf({ requiredBy, usedBy }: SecretRequirement): string[] {
  return [...new Set([...requiredBy, ...usedBy])]
}

/** `a`, `a and b`, `a, b and 3 more`. */
export function describeTools(tools: readonly string[]): string {
  if (tools.length > 3) return `${tools.slice(0, 2).join(', ')} and ${tools.length - 2} more tools`
  return [tools.slice(0, -1).join(', '), tools.at(-1)].filter(Boolean).join(' and ')
}
