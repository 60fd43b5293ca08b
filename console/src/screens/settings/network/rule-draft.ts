import type { NetworkRule, NamedRule } from './network-types.ts'

/** A rule as its form has it: nothing is an empty text. */
export interface RuleDraft {
  id: string
  agent: string
  pack: string
  allow: string[]
  deny: string[]
  note: string
}

const empty: RuleDraft = { id: '', agent: '', pack: '', allow: [], deny: [], note: '' }

/** The form of a rule, or of a new one. */
export function toDraft(rule: NetworkRule | undefined): RuleDraft {
  if (rule === undefined) return empty
  const { id, agent = '', pack = '', allow, deny, note = '' } = rule
  return { id, agent, pack, allow, deny, note }
}

/** The rule that a form stands for. */
export function toSpec({ id, agent, pack, allow, deny, note }: RuleDraft): NamedRule {
  return {
    id: id.trim(),
    ...(agent !== '' && { agent }),
    ...(pack !== '' && { pack }),
    allow,
    deny,
    ...(note.trim() !== '' && { note: note.trim() }),
  }
}

/** All rules with this one in its place, as the preview asks for them. Declared ones always stay. */
export function withRule(
  known: readonly NetworkRule[],
  spec: NamedRule | undefined,
  id: string,
): NamedRule[] {
  const others = known
    .filter((rule) => rule.id !== id && rule.isDeclared !== true)
    .map((rule) => toSpec(toDraft(rule)))
  return spec === undefined ? others : [...others, spec]
}

/** The fault in the name of a new rule, if any. */
export function findNameFault(id: string, known: readonly NetworkRule[]): string | undefined {
  if (!/^[a-z][a-z0-9-]{0,62}$/.test(id)) {
    return 'Use lower case letters, digits and dashes, starting with a letter'
  }
  return known.some((rule) => rule.id === id) ? 'There is a rule of this name already' : undefined
}
