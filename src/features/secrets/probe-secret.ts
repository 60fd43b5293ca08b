import type { SecretProbe } from '../../core/kernel/secret-probe.ts'
import { createRedactor } from '../../core/secrets/redact.ts'

const probeMs = 10_000
const maxMessage = 500

interface ProbeRequest {
  name: string
  value: string
  env: Readonly<Record<string, string>>
  /** How long it may take, for tests (10 s). */
  withinMs?: number
}

/** Runs one check. Undefined if the value is valid, otherwise the problem, without the value. */
export async function probeSecret(
  probe: SecretProbe,
  { name, value, env, withinMs = probeMs }: ProbeRequest,
): Promise<string | undefined> {
  const controller = new AbortController()
  const late = Promise.withResolvers<string>()
  const timer = setTimeout(() => {
    late.resolve(`The check gave no answer within ${withinMs / 1000} s`)
    controller.abort(new Error('The check took too long'))
  }, withinMs)
  try {
    const running = run(probe, value, { signal: controller.signal, env })
    const said = await Promise.race([running, late.promise])
    if (said === undefined) return undefined
    return createRedactor({ [name]: value })
      .redactText(said)
      .slice(0, maxMessage)
  } finally {
    clearTimeout(timer)
  }
}

/** A thrown value is the problem; an empty string also counts as one. */
async function run(
  probe: SecretProbe,
  value: string,
  context: Parameters<SecretProbe>[1],
): Promise<string | undefined> {
  try {
    const said = (await probe(value, context)) ?? undefined
    return typeof said === 'string' ? said || 'The check failed' : undefined
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)) || 'The check failed'
  }
}
