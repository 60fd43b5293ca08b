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
 * Throws for an input that holds a secret of its tool. Of a call it would be taken out and sealed;
 * the input of a schedule is kept and shown as it is, to everybody who may read schedules.
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
  throw new ToolError('invalid_request', `The input holds a secret of ${tool}`, {
    issues: [{ path: '/input', message: 'holds a secret, which a schedule does not keep' }],
    fix: 'Leave it out: the tool gets its secrets by itself when it runs.',
  })
}
