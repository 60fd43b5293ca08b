import type { ClientAbility, ClientLogLevel } from '../../core/kernel/context/caller-client.ts'
import { cacheByIdentity } from '../../core/kernel/identity-cache.ts'
import type { JsonRecord } from './messages.ts'

const prefix = 'io.modelcontextprotocol'
const tasksExtension = `${prefix}/tasks`

/** The revision of the modern protocol that we speak. */
export const modernVersion = '2026-07-28'
/** Older ones, newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

export const clientInfo = { name: 'toolcrib', title: 'Toolcrib', version: '1' } as const

const allAbilities: readonly ClientAbility[] = [
  'elicitation.form',
  'elicitation.url',
  'sampling',
  'sampling.tools',
  'roots',
]

/**
 * The abilities announced to a server. An older one, which is asked once, gets all of them, because
 * some servers hide tools from clients that cannot be asked. A question nobody can answer is refused
 * then.
 */
export function toCapabilities(
  abilities: ReadonlySet<ClientAbility> = new Set(allAbilities),
): JsonRecord {
  const has = (ability: ClientAbility) => abilities.has(ability)
  const form = has('elicitation.form') && { form: {} }
  const url = has('elicitation.url') && { url: {} }
  return {
    ...((form || url) && { elicitation: { ...form, ...url } }),
    ...(has('sampling') && { sampling: has('sampling.tools') ? { tools: {} } : {} }),
    ...(has('roots') && { roots: {} }),
  }
}

const none: ReadonlySet<ClientAbility> = new Set()
const envelopes = cacheByIdentity(
  (_abilities: ReadonlySet<ClientAbility>) => new Map<string, JsonRecord>(),
)

/** The metadata of every request of the modern protocol, for a caller with these abilities. */
export function toEnvelope(
  abilities: ReadonlySet<ClientAbility> = none,
  logLevel?: ClientLogLevel,
): JsonRecord {
  const known = envelopes(abilities).get(logLevel ?? '')
  if (known !== undefined) return known
  const meta: JsonRecord = {
    [`${prefix}/protocolVersion`]: modernVersion,
    [`${prefix}/clientInfo`]: { ...clientInfo },
    [`${prefix}/clientCapabilities`]: {
      ...toCapabilities(abilities),
      extensions: { [tasksExtension]: {} },
    },
    ...(logLevel !== undefined && { [`${prefix}/logLevel`]: logLevel }),
  }
  envelopes(abilities).set(logLevel ?? '', meta)
  return meta
}

/** The name a modern server gives itself in a result. */
export const serverInfoKey = `${prefix}/serverInfo`
