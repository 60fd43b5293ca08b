import { ToolError } from '../../core/kernel/errors.ts'
import { namedValue, namesIn } from '../../core/gateway/given-names.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { GatewayPorts } from '../ports.ts'
import { ownValue } from '../../core/kernel/json/json-type.ts'

/** The values of a spec with their names looked up. `sensitive` must not be shown to anybody. */
export interface GivenValues {
  env: Record<string, string>
  headers: Record<string, string>
  /** By name. */
  sensitive: Record<string, string>
}

/** Looks up what a spec gives by name. Throws `secret_missing` for what is not there. */
export async function resolveValues(
  tenant: string,
  spec: McpServerSpec,
  ports: Pick<GatewayPorts, 'readSecrets' | 'readEnv'>,
): Promise<GivenValues> {
  const names = namesIn(spec)
  const secrets =
    names.secrets.length > 0 ? await ports.readSecrets(tenant, names.secrets) : new Map()
  const env = ports.readEnv(names.env)
  const sensitive: Record<string, string> = {}
  const fill = (text: string) =>
    text.replaceAll(namedValue, (_all, kind: string, name: string) => {
      const value = kind === 'secret' ? secrets.get(name) : ownValue(env, name)
      if (value === undefined || value === '') throw missing(kind, name)
      sensitive[name] = value
      return value
    })
  const fillAll = (given: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(given).map(([name, text]) => [name, fill(text)]))
  return { env: fillAll(spec.env), headers: fillAll(spec.headers), sensitive }
}

function missing(kind: string, name: string): ToolError {
  return kind === 'secret'
    ? new ToolError('secret_missing', `The secret ${name} is not set`, {
        fix: `Set it: toolcrib secrets set ${name}`,
      })
    : new ToolError('secret_missing', `The environment variable ${name} is not set`, {
        fix: `Start the server with ${name} in its environment`,
      })
}
