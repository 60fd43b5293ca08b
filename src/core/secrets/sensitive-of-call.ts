import type { CallLog, StoredCall } from '../call-log.ts'
import type { ToolContract } from '../kernel/tool.ts'
import type { SecretVault } from '../vault-ports.ts'
import { listHidden } from './secret-fields.ts'
import { isRedacted } from './is-redacted.ts'
import { joinSecrets } from './join-secrets.ts'
import { pickSensitive } from './requirements.ts'

/** Where the secrets of a stored call, and of its parents, are read again. */
export interface CallSecrets {
  calls: Pick<CallLog, 'findWithInput'>
  /** The registry, which knows secrets: so it is not imported here. */
  registry: { find(name: string, tenant?: string): { contract: ToolContract } | undefined }
  secrets: Pick<SecretVault, 'read' | 'list'>
}

/** Deeper than any configuration allows calls to nest; ends a circular chain. */
const maxAbove = 64

/**
 * The values that must not leak from a stored call: the secrets of its tool and of its input, and
 * those of its parents, whose values may have been passed down. The vault is read again, because
 * nothing of this was stored; hidden inputs are opened. If a tool is not on this node the names of
 * its secrets are unknown: then every secret of the tenant is searched for.
 */
export async function readSensitive(
  call: StoredCall,
  ports: CallSecrets,
): Promise<Record<string, string>> {
  let sensitive: Record<string, string> = {}
  const scope = { tenant: call.tenant, agent: call.agent }
  for (const { tool, input, rawInput } of await chainOf(call, ports)) {
    if (rawInput !== undefined) sensitive = joinSecrets(sensitive, listHidden(input, rawInput))
    const contract = ports.registry.find(tool, call.tenant)?.contract
    const names = contract?.secrets.map(({ key }) => key) ?? (await allNames(call, ports))
    if (names.length === 0) continue
    const values = Object.fromEntries(await ports.secrets.read(scope, names))
    sensitive = joinSecrets(sensitive, pickSensitive(contract?.secrets ?? [], values))
  }
  return sensitive
}

/** The call and its parents, with the hidden values of their inputs. */
async function chainOf(call: StoredCall, { calls }: CallSecrets): Promise<StoredCall[]> {
  const isOpen = call.rawInput !== undefined || !isRedacted(call.input)
  const itself = isOpen ? undefined : await calls.findWithInput(call.tenant, call.callId)
  const chain = [itself ?? call]
  let above = call.parentId
  for (let depth = 0; above !== undefined && depth < maxAbove; depth += 1) {
    const parent = await calls.findWithInput(call.tenant, above)
    if (parent !== undefined) chain.push(parent)
    above = parent?.parentId
  }
  return chain
}

async function allNames({ tenant }: StoredCall, { secrets }: CallSecrets): Promise<string[]> {
  return [...new Set((await secrets.list(tenant)).map(({ name }) => name))]
}
