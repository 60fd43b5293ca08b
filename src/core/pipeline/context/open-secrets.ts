import type { Completion } from '../../kernel/call.ts'
import type { JsonSchema, JsonValue } from '../../kernel/json.ts'
import {
  checkSecretFields,
  hasSecretFields,
  hideSecretFields,
  publicKeysOf,
} from '../../secrets/secret-fields.ts'
import { joinSecrets } from '../../secrets/join-secrets.ts'
import { createRedactor, emptyRedactor, type Redactor } from '../../secrets/redact.ts'
import {
  checkSecrets,
  pickSecrets,
  pickSensitive,
  secretMissing,
} from '../../secrets/requirements.ts'
import type { CallFacts } from '../record/call-facts.ts'
import type { ChainedRequest } from '../chained-request.ts'
import type { PipelinePorts } from '../ports.ts'

export const noSecrets: Readonly<Record<string, string>> = Object.freeze({})

/** The secrets of one call. */
export interface OpenSecrets {
  /** The secrets passed to the tool. */
  secrets: Readonly<Record<string, string>>
  /**
   * Values that must not leak: its own secrets, those in its input and those of its parent calls.
   */
  sensitive: Readonly<Record<string, string>>
  redactor: Redactor
  /** The input to record, if it differs from the original input. */
  recorded?: JsonValue
}

/** Synchronous when there are none. */
export function openSecrets(
  from: { facts: CallFacts; request: ChainedRequest },
  completion: Completion | undefined,
  ports: PipelinePorts,
): OpenSecrets | Promise<OpenSecrets> {
  const { contract } = from.facts
  const above = withToken(from.request.secrets ?? noSecrets, completion)
  if (contract.secrets.length > 0) return readAll(from.facts, above, ports)
  if (above === noSecrets && !hasSecretFields(contract)) return nothingSecret
  return open(from.facts, { secrets: noSecrets, above, ports })
}

async function readAll(
  facts: CallFacts,
  above: Readonly<Record<string, string>>,
  ports: PipelinePorts,
): Promise<OpenSecrets> {
  const secrets = await readSecrets(facts, ports)
  return open(facts, { secrets, above, ports })
}

function open(
  { contract, input }: Pick<CallFacts, 'contract' | 'input'>,
  {
    secrets,
    above,
    ports,
  }: Record<'secrets' | 'above', Readonly<Record<string, string>>> & {
    ports: PipelinePorts
  },
): OpenSecrets {
  const { shown, values, marks } = hideSecretFields(contract, input)
  const own = pickSensitive(contract.secrets, secrets)
  const sensitive = joinSecrets(joinSecrets(above, own), values)
  ports.knownSecrets.note(sensitive)
  const redactor = createRedactor(sensitive, { publicKeys: publicKeysOf(contract), marks })
  return { secrets, sensitive, redactor, recorded: redactor.redactValue(shown) }
}

/**
 * Hides the fields that a caller-specific schema marks as secret, in addition to those already
 * hidden.
 */
export function hideFurther(
  opened: OpenSecrets,
  { contract, input }: Pick<CallFacts, 'contract' | 'input'>,
  { inputSchema, ports }: { inputSchema: JsonSchema; ports: PipelinePorts },
): void {
  const made = { inputSchema, outputSchema: contract.outputSchema }
  if (!hasSecretFields(made)) return
  checkSecretFields(made, input)
  const first = hideSecretFields(contract, input)
  const { shown, values, marks } = hideSecretFields(made, first.shown)
  opened.sensitive = joinSecrets(opened.sensitive, values)
  ports.knownSecrets.note(values)
  opened.redactor = createRedactor(opened.sensitive, {
    publicKeys: publicKeysOf(made),
    marks: new Set([...first.marks, ...marks]),
  })
  opened.recorded = opened.redactor.redactValue(shown)
}

/** The token lets its holder end the call, so it is kept out of all records. */
function withToken(
  secrets: Readonly<Record<string, string>>,
  completion: Completion | undefined,
): Readonly<Record<string, string>> {
  if (completion === undefined) return secrets
  return joinSecrets(secrets, { 'completion.token': completion.token })
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
