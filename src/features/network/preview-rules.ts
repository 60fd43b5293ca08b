import { createNetworkPolicy } from '../../core/host/decide-host.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import { toLevels } from './levels.ts'
import type { NetworkParts } from './parts.ts'
import { isSandboxPack } from './read-rules.ts'
import type { NetworkPreview, NetworkRulesRequest } from './schemas.ts'

const mostCompared = 20_000
/** Stands for every host that no rule names. */
const otherHost = 'any-other-host.example'
const otherPack = 'other'

/** Compares the verdicts about every host that a rule names, before and after a change. */
export async function previewRules(
  tenant: string,
  { rules: wanted }: NetworkRulesRequest,
  { rules, settings }: NetworkParts,
): Promise<NetworkPreview> {
  const before = await rules.list(tenant, 'network')
  const named = new Set(wanted.map(({ id }) => id))
  const kept = before.filter(({ name, isDeclared }) => isDeclared && !named.has(name))
  const after = [...wanted.map(({ id, ...body }) => toRule(tenant, id, body)), ...kept]
  const probes = listProbes([...before, ...after], Object.keys(settings.packs))
  const items: NetworkPreview['items'] = []
  for (const { host, port, agent, pack } of probes.slice(0, mostCompared)) {
    const verdict = (own: readonly Rule[]) => {
      const isSandbox = isSandboxPack(pack)
      const levels = toLevels({ agent, pack }, settings, own)
      return createNetworkPolicy(levels, { isSandbox }).decide(host, port)
    }
    const [now, then] = [verdict(before), verdict(after)]
    if (now.verdict === then.verdict) continue
    items.push({
      host,
      port,
      ...(agent !== undefined && { agent }),
      pack,
      before: now,
      after: then,
    })
  }
  const compared = Math.min(probes.length, mostCompared)
  return { items, unchanged: compared - items.length, isPartial: probes.length > mostCompared }
}

interface Probe {
  host: string
  port: number
  agent: string | undefined
  pack: string
}

function listProbes(rules: readonly Rule[], configured: readonly string[]): Probe[] {
  const specs = rules.map(({ body }) => body as Record<string, unknown>)
  const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  const hosts = specs.flatMap(({ allow, deny }) => [...texts(allow), ...texts(deny)])
  const named = (key: string) =>
    specs.flatMap(({ [key]: value }) => (typeof value === 'string' ? [value] : []))
  const targets = new Map([...hosts, otherHost].map((text) => [text, toTarget(text)]))
  const agents = [undefined, ...new Set(named('agent'))]
  const packs = new Set([otherPack, ...configured, ...named('pack')])
  return [...targets.values()].flatMap((target) =>
    agents.flatMap((agent) => [...packs].map((pack) => ({ ...target, agent, pack }))),
  )
}

/** A host that the pattern matches. */
function toTarget(pattern: string): { host: string; port: number } {
  const [, name = pattern, port] = /^(.*?)(?::(\d+))?$/.exec(pattern) ?? []
  const host = name === '*' ? otherHost : name.replace(/^\*\./, 'any.')
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? 443) }
}

function toRule(tenant: string, name: string, body: object): Rule {
  const updatedBy = { kind: 'system', id: 'preview' } as const
  const facts = { isDeclared: false, version: 0, updatedAt: new Date(0).toISOString(), updatedBy }
  return { tenant, kind: 'network', name, body: body as Rule['body'], ...facts }
}
