import { toSafeLine } from '../../../output/values/safe-text.ts'
/** The scope of a rule, in words. */
export function describeScope({ agent, pack }: { agent?: string; pack?: string }): string {
  if (agent !== undefined && pack !== undefined) return `Agent ${agent}, pack ${pack}`
  if (agent !== undefined) return `Agent ${agent}`
  return pack === undefined ? 'Everyone' : `Pack ${pack}`
}

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const host = new RegExp(
  `^(?:\\*|(?:\\*\\.)?${label}(?:\\.${label})*|\\[[0-9a-f:.]+\\])(?::\\d{1,5})?$`,
  'i',
)

/** Finds the fault in a host pattern before it is sent; the server decides. */
export function findPatternFault(patterns: readonly string[]): string | undefined {
  const wrong = patterns.find((pattern) => !host.test(pattern))
  if (wrong === undefined) return undefined
  if (wrong.includes('/')) return `${wrong}: write the host alone, without https:// and path`
  return `${wrong} is not a host. Examples: example.com, *.example.com, example.com:8443`
}

/** A level of rules, the outermost first. */
export function describeLevel(level: string): string {
  if (level === 'global') return 'Every tenant'
  if (level === 'tenant') return 'This tenant'
  if (level === 'address') return 'The address'
  if (level === 'default') return 'Without a rule'
  return level.startsWith('agent:') ? `Agent ${level.slice('agent:'.length)}` : level
}

/** Why a host was denied, for the event that records it. */
export function describeDenial({ rule = '', level }: { rule?: string; level?: string }): string {
  if (level === 'address') return toSafeLine(rule)
  if (rule === '' || level === undefined || level === 'default') return 'no rule allows it'
  return `denied by the rule ${toSafeLine(rule)} (${describeLevel(level).toLowerCase()})`
}
