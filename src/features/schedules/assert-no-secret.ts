import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import { createRedactor } from '../../core/secrets/redact.ts'
import { pickSecrets, pickSensitive } from '../../core/secrets/requirements.ts'

interface ScheduledWork {
  tenant: string
  agent: string | undefined
  tool: string
  input: JsonValue
}

/**
 * Throws for an input that contains a secret of its tool. In a call it would be sealed, but the input of a schedule is stored and shown in plain text to everyone who may read schedules.
 */
export async function assertNoSecret(
  { tenant, agent, tool, input }: ScheduledWork,
  { registry, secrets: vault }: Pick<PipelinePorts, 'registry' | 'secrets'>,
): Promise<void> {
  const secrets = registry.find(tool, tenant)?.contract.secrets ?? []
  if (secrets.length === 0) return
  const names = secrets.map(({ key }) => key)
  const values = await vault.read({ tenant, agent }, names)
  const redactor = createRedactor(pickSensitive(secrets, pickSecrets(secrets, values)))
  if (JSON.stringify(redactor.redactValue(input)) === JSON.stringify(input)) return
  throw new ToolError('invalid_request', `The input contains a secret of ${tool}`, {
    issues: [{ path: '/input', message: 'contains a secret, which a schedule does not store' }],
    fix: 'Omit it: the tool receives its secrets when it runs.',
  })
}
