import type { Caller } from '../../core/kernel/call.ts'
import { isWithin } from '../../core/operations/agent-reach.ts'
import type { RegisteredTool } from '../../core/registry.ts'
import type { SecretSummary, SecretVault } from '../../core/vault-ports.ts'
import { mergeRequirements, type SharedRequirement } from './merge-requirements.ts'
import { toolsFor, type SecretParts } from './parts.ts'
import type { SecretOverview, SecretRequirementStatus } from './schemas.ts'

const agentsShown = 100

/** A page of the secrets that are set. The first page also has the secrets that tools declare. */
export async function listSecretsPage(
  caller: Caller,
  { after, limit }: { after?: string; limit: number },
  parts: SecretParts,
): Promise<SecretOverview> {
  const { tenant } = caller
  const stored = await parts.secrets.list(tenant)
  // A caller that is bound to an agent may know what its agent can use, and no more.
  const all = stored.filter(({ agent }) => agent === undefined || isWithin(caller, agent))
  const tools = await toolsFor(caller, parts)
  const requirements = mergeRequirements(tools.map(({ contract }) => contract))
  const { items, next } = toPage(all, after, limit)
  const asked = after === undefined ? requirements : []
  const context = { items: all, tools, tenant, secrets: parts.secrets }
  return {
    items: items.map((one) => ({ ...one, usedBy: usersOf(one.name, requirements) })),
    requirements: await Promise.all(asked.map((requirement) => toStatus(requirement, context))),
    ...(next !== undefined && { next }),
  }
}

/** A position in the list. No agent has a slash in its name. */
const placeOf = ({ name, agent = '' }: SecretSummary) => `${name}/${agent}`

/** Secrets in order, after a position whose secret may have been deleted. */
function toPage(
  secrets: readonly SecretSummary[],
  after: string | undefined,
  limit: number,
): { items: SecretSummary[]; next?: string } {
  const sorted = secrets.toSorted((one, other) => compare(placeOf(one), placeOf(other)))
  const rest =
    after === undefined ? sorted : sorted.filter((one) => compare(placeOf(one), after) > 0)
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  return items.length < rest.length && last !== undefined
    ? { items, next: placeOf(last) }
    : { items }
}

/** Code unit order, the same on every store. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one === other ? 0 : 1
}

function usersOf(name: string, requirements: readonly SharedRequirement[]): string[] {
  const found = requirements.find((one) => one.name === name)
  return found === undefined ? [] : [...found.requiredBy, ...found.usedBy].sort()
}

interface StatusContext {
  items: readonly SecretSummary[]
  tools: readonly RegisteredTool[]
  tenant: string
  secrets: Pick<SecretVault, 'read'>
}

async function toStatus(
  requirement: SharedRequirement,
  { items, tools, tenant, secrets }: StatusContext,
): Promise<SecretRequirementStatus> {
  const { name, type, sensitive } = requirement
  const set = items.filter((one) => one.name === name && one.isEmpty !== true)
  const isShown = type === 'select' && !sensitive
  const valueOf = async (agent: string | undefined): Promise<{ value?: string }> => {
    if (!isShown) return {}
    const value = (await secrets.read({ tenant, agent }, [name])).get(name)
    return value === undefined ? {} : { value }
  }
  const all = set.flatMap(({ agent }) => (agent === undefined ? [] : [agent]))
  const agents = all.slice(0, agentsShown)
  const isSet = set.some(({ agent }) => agent === undefined)
  return {
    ...requirement,
    isSet,
    ...(isSet && (await valueOf(undefined))),
    agents: await Promise.all(agents.map(async (agent) => ({ agent, ...(await valueOf(agent)) }))),
    ...(all.length > agentsShown && { moreAgents: all.length - agentsShown }),
    hasCheck: tools.some(({ probes }) => Object.hasOwn(probes, name)),
  }
}
