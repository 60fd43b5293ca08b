import type { Completion } from '../call.ts'
import { createRedactor, emptyRedactor, type Redactor } from '../secrets/redact.ts'
import { checkSecrets, pickSecrets, pickSensitive, secretMissing } from '../secrets/requirements.ts'
import type { CallFacts } from './call-facts.ts'
import type { ChainedRequest } from './chained-request.ts'
import type { PipelinePorts } from './ports.ts'

export const noSecrets: Readonly<Record<string, string>> = Object.freeze({})

/** The secrets of one call. */
export interface OpenSecrets {
  /** What the tool gets. */
  secrets: Readonly<Record<string, string>>
  /** What must not come out: its own and those of the calls above it. */
  sensitive: Readonly<Record<string, string>>
  redactor: Redactor
}

/** At once where there are none. */
export function openSecrets(
  from: { facts: CallFacts; request: ChainedRequest; completion?: Completion },
  ports: PipelinePorts,
): OpenSecrets | Promise<OpenSecrets> {
  const above = withToken(from.request.secrets ?? noSecrets, from.completion)
  const hasNone = from.facts.contract.secrets.length === 0 && above === noSecrets
  return hasNone ? nothingSecret : readAll(from.facts, above, ports)
}

async function readAll(
  facts: CallFacts,
  above: Readonly<Record<string, string>>,
  ports: PipelinePorts,
): Promise<OpenSecrets> {
  const { contract } = facts
  const secrets = contract.secrets.length === 0 ? noSecrets : await readSecrets(facts, ports)
  const sensitive = { ...above, ...pickSensitive(contract.secrets, secrets) }
  return { secrets, sensitive, redactor: createRedactor(sensitive) }
}

/** Whoever has the token can end the call, so it is kept out of all that is recorded. */
function withToken(
  secrets: Readonly<Record<string, string>>,
  completion: Completion | undefined,
): Readonly<Record<string, string>> {
  return completion === undefined ? secrets : { ...secrets, 'completion.token': completion.token }
}

const nothingSecret: OpenSecrets = {
  secrets: noSecrets,
  sensitive: noSecrets,
  redactor: emptyRedactor,
}

async function readSecrets(
  facts: CallFacts,
  ports: PipelinePorts,
): Promise<Record<string, string>> {
  const { contract, caller } = facts
  const names = contract.secrets.map((secret) => secret.key)
  const values = await ports.secrets.read({ tenant: caller.tenant, agent: caller.agent }, names)
  const { missing } = checkSecrets(contract.secrets, values)
  if (missing.length > 0) throw secretMissing(contract.name, missing)
  return pickSecrets(contract.secrets, values)
}
