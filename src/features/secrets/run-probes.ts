import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { RegisteredTool } from '../../core/registry.ts'
import { probeSecret } from './probe-secret.ts'
import type { SecretTest } from './schemas.ts'

/** Runs the checks that these tools provide for a secret, until one fails. */
export async function runProbes(
  tools: readonly RegisteredTool[],
  request: { name: string; value: string; readEnv: PipelinePorts['readEnv'] },
): Promise<SecretTest> {
  const { name, value, readEnv } = request
  const checking = tools.filter(({ probes }) => Object.hasOwn(probes, name))
  const checkedBy = checking.map(({ contract }) => contract.name)
  if (checking.length === 0) {
    return {
      name,
      status: 'unchecked',
      message: `No tool or pack provides a check for ${name}`,
      checkedBy,
    }
  }
  // Tools of a pack share the pack's check, so it runs once.
  const probes = new Map(checking.map((entry) => [entry.probes[name], entry]))
  for (const [probe, { contract }] of probes) {
    const env = readEnv(contract.env)
    const message = probe && (await probeSecret(probe, { name, value, env }))
    if (message !== undefined) return { name, status: 'bad', message, checkedBy }
  }
  return { name, status: 'good', checkedBy }
}
