import type { HostPattern } from '../net/host-pattern.ts'
import type { HostVerdict, NetworkPolicy } from './network-policy.ts'

/** One rule of a level, as far as it applies to the scope. */
export interface NetworkRule {
  id: string
  allow: readonly HostPattern[]
  deny: readonly HostPattern[]
  /** It names the pack of the scope. */
  isForPack: boolean
  setBy: string
  /** Why it refuses everything: it is stored in an unknown format. */
  closed?: string | undefined
}

/** Rules of one author: the configuration, a tenant, or an agent. */
export interface NetworkLevel {
  name: string
  rules: readonly NetworkRule[]
}

/**
 * Combines levels, of which each narrows those before. Within a level, `deny` wins over every
 * `allow`, the allow lists of all rules add up, and without any the level lets everything through.
 */
export function createNetworkPolicy(
  levels: readonly NetworkLevel[],
  { isSandbox = false }: { isSandbox?: boolean | undefined } = {},
): NetworkPolicy {
  function explain(host: string, port: number): HostVerdict[] {
    const verdicts = levels.map((level) => decideLevel(level, host, port))
    return [...verdicts, decideDefault(levels, { host, port, isSandbox })]
  }
  const own = levels.flatMap(({ rules }) => rules.filter((rule) => rule.isForPack))
  return {
    allowsSome: !isSandbox || own.some(({ allow }) => allow.length > 0),
    explain,
    decide(host, port) {
      const verdicts = explain(host, port)
      const stop = verdicts.find(({ verdict }) => verdict === 'deny')
      // The innermost rule that names the host is the most specific one.
      return (
        stop ?? verdicts.findLast(({ id }) => id !== undefined) ?? (verdicts.at(-1) as HostVerdict)
      )
    },
  }
}

function decideLevel(
  { name: level, rules }: NetworkLevel,
  host: string,
  port: number,
): HostVerdict {
  const closed = rules.find((rule) => rule.closed !== undefined)
  if (closed !== undefined) {
    return { verdict: 'deny', rule: closed.closed ?? '', level, setBy: closed.setBy, id: closed.id }
  }
  const denied = findMatch(rules, 'deny', { host, port })
  if (denied !== undefined) return { verdict: 'deny', level, ...denied }
  const allowed = findMatch(rules, 'allow', { host, port })
  if (allowed !== undefined) return { verdict: 'allow', level, ...allowed }
  const lists = rules.filter((rule) => rule.allow.length > 0)
  const [first] = lists
  if (first === undefined) return { verdict: 'allow', rule: 'no rule', level, setBy: '' }
  const rule = `not in the allowed hosts of ${lists.map(({ id }) => id).join(', ')}`
  return { verdict: 'deny', rule, level, setBy: first.setBy, id: first.id }
}

function decideDefault(
  levels: readonly NetworkLevel[],
  { host, port, isSandbox }: { host: string; port: number; isSandbox: boolean },
): HostVerdict {
  const facts = { level: 'default', setBy: 'toolcrib' }
  if (!isSandbox) return { verdict: 'allow', rule: 'public hosts are open to tools', ...facts }
  const own = levels.flatMap(({ rules }) => rules.filter((rule) => rule.isForPack))
  const named = findMatch(own, 'allow', { host, port })
  return named === undefined
    ? {
        verdict: 'deny',
        rule: 'sandboxes reach only hosts that a rule for their pack allows',
        ...facts,
      }
    : { verdict: 'allow', rule: named.rule, ...facts }
}

interface Match {
  rule: string
  setBy: string
  id: string
}

function findMatch(
  rules: readonly NetworkRule[],
  kind: 'allow' | 'deny',
  { host, port }: { host: string; port: number },
): Match | undefined {
  for (const { id, setBy, [kind]: patterns } of rules) {
    const found = patterns.find((pattern) => pattern.matches(host, port))
    if (found !== undefined) return { rule: found.text, setBy, id }
  }
  return undefined
}
