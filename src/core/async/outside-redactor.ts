import type { CallLog, StoredCall } from '../ports.ts'
import type { SecretVault } from '../vault-ports.ts'
import type { Registry } from '../registry.ts'
import { createRedactor, type Redactor } from '../secrets/redact.ts'
import { pickSensitive } from '../secrets/requirements.ts'

export interface OutsideSecrets {
  calls: Pick<CallLog, 'find'>
  registry: Pick<Registry, 'find'>
  secrets: Pick<SecretVault, 'read' | 'list'>
}

/** Deeper than any configuration lets calls nest; ends a chain that is a circle. */
const maxAbove = 64

/** The redactors for what comes from outside: text as it is read, and the bytes of a file. */
export interface OutsideRedactors {
  text: Redactor
  /** For bytes that were turned into one character each. */
  bytes: Redactor
}

/**
 * What must not come out of a call that is ended from outside: the token, the secrets of its tool,
 * and those of the calls above it, whose values may have been passed down. The vault is asked again,
 * as nothing of this was kept. Where a tool is not on this node its secrets are not known by name:
 * then every secret of the tenant is looked for.
 */
export async function createOutsideRedactors(
  call: StoredCall,
  token: string,
  ports: OutsideSecrets,
): Promise<OutsideRedactors> {
  const sensitive: Record<string, string> = { 'completion.token': token }
  const scope = { tenant: call.tenant, agent: call.agent }
  for (const tool of await toolsOf(call, ports)) {
    const contract = ports.registry.find(tool)?.contract
    const names = contract?.secrets.map(({ key }) => key) ?? (await allNames(call, ports))
    if (names.length === 0) continue
    const values = Object.fromEntries(await ports.secrets.read(scope, names))
    Object.assign(sensitive, pickSensitive(contract?.secrets ?? [], values))
  }
  return { text: createRedactor(sensitive), bytes: createRedactor(asBytes(sensitive)) }
}

async function toolsOf(call: StoredCall, { calls }: OutsideSecrets): Promise<Set<string>> {
  const tools = new Set([call.tool])
  let above = call.parentId
  for (let depth = 0; above !== undefined && depth < maxAbove; depth += 1) {
    const parent = await calls.find(call.tenant, above)
    if (parent !== undefined) tools.add(parent.tool)
    above = parent?.parentId
  }
  return tools
}

async function allNames({ tenant }: StoredCall, { secrets }: OutsideSecrets): Promise<string[]> {
  return [...new Set((await secrets.list(tenant)).map(({ name }) => name))]
}

/** A secret in a file stands there as UTF-8, and a file is read one byte a character. */
function asBytes(secrets: Readonly<Record<string, string>>): Record<string, string> {
  const encoder = new TextEncoder()
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, toByteText(encoder.encode(value))]),
  )
}

const charsAtOnce = 8192

/** One character for each byte. */
export function toByteText(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += charsAtOnce) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + charsAtOnce)))
  }
  return parts.join('')
}

/** Back from one character for each byte. */
export function fromByteText(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
