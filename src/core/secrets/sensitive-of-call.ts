import type { CallLog, StoredCall } from '../call-log.ts'
import type { Registry } from '../registry.ts'
import type { SecretVault } from '../vault-ports.ts'
import { pickSensitive } from './requirements.ts'

/** Where the secrets of a stored call, and of those above it, are found again. */
export interface CallSecrets {
  calls: Pick<CallLog, 'find'>
  registry: Pick<Registry, 'find'>
  secrets: Pick<SecretVault, 'read' | 'list'>
}

/** Deeper than any configuration lets calls nest; ends a chain that is a circle. */
const maxAbove = 64

/**
 * What must not come out of a stored call: the secrets of its tool, and those of the calls above it,
 * whose values may have been passed down. The vault is asked again, as nothing of this was kept.
 * Where a tool is not on this node its secrets are not known by name: then every secret of the tenant
 * is looked for.
 */
export async function readSensitive(
  call: StoredCall,
  ports: CallSecrets,
): Promise<Record<string, string>> {
  const sensitive: Record<string, string> = {}
  const scope = { tenant: call.tenant, agent: call.agent }
  for (const tool of await toolsOf(call, ports)) {
    const contract = ports.registry.find(tool, call.tenant)?.contract
    const names = contract?.secrets.map(({ key }) => key) ?? (await allNames(call, ports))
    if (names.length === 0) continue
    const values = Object.fromEntries(await ports.secrets.read(scope, names))
    Object.assign(sensitive, pickSensitive(contract?.secrets ?? [], values))
  }
  return sensitive
}

async function toolsOf(call: StoredCall, { calls }: CallSecrets): Promise<Set<string>> {
  const tools = new Set([call.tool])
  let above = call.parentId
  for (let depth = 0; above !== undefined && depth < maxAbove; depth += 1) {
    const parent = await calls.find(call.tenant, above)
    if (parent !== undefined) tools.add(parent.tool)
    above = parent?.parentId
  }
  return tools
}

async function allNames({ tenant }: StoredCall, { secrets }: CallSecrets): Promise<string[]> {
  return [...new Set((await secrets.list(tenant)).map(({ name }) => name))]
}
