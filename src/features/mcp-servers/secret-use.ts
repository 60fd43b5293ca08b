import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import { namesIn } from '../../core/gateway/given-names.ts'
import { holds } from '../../core/operations/require-permission.ts'

/**
 * A server receives the secrets named in its settings, so the author of the settings discloses
 * them. That requires `secrets.write`: otherwise permission to manage servers would disclose every
 * secret of the tenant. The author is stored with the settings, and settings without one are not
 * used.
 */
export interface KeptServer {
  /** The settings, as they were given. */
  body: JsonValue
  /** The author who disclosed the secrets it names. */
  secretsBy?: string
  /** When a restart on all nodes was last requested. */
  restartedAt?: string
}

/** Splits what is stored. */
export function readKept(stored: JsonValue): KeptServer {
  if (!isRecord(stored)) return { body: stored }
  const { secretsBy, restartedAt, ...body } = stored
  return {
    body,
    ...(typeof secretsBy === 'string' && { secretsBy }),
    ...(typeof restartedAt === 'string' && { restartedAt }),
  }
}

/**
 * The stored form of these settings; throws for a caller who may not disclose the secrets they
 * name.
 */
export function toKept(
  spec: McpServerSpec,
  caller: Caller,
  before?: KeptServer & { spec: McpServerSpec | undefined },
): JsonValue {
  const restartedAt = before?.restartedAt
  const body = JSON.parse(JSON.stringify({ ...spec, restartedAt })) as Record<string, JsonValue>
  if (namesIn(spec).secrets.length === 0) return body
  if (!holds(caller, 'secrets.write') && before?.secretsBy !== undefined) {
    const isSame = before.spec !== undefined && whereTo(before.spec) === whereTo(spec)
    if (isSame) return { ...body, secretsBy: before.secretsBy }
  }
  assertSecretUse(spec, caller)
  return { ...body, secretsBy: `${caller.principal.kind}:${caller.principal.id}` }
}

/** Throws forbidden for callers who may not disclose the secrets these settings name. */
export function assertSecretUse(spec: McpServerSpec, caller: Caller): void {
  const { secrets } = namesIn(spec)
  if (secrets.length === 0 || holds(caller, 'secrets.write')) return
  throw new ToolError(
    'forbidden',
    `These settings pass the secret ${secrets.join(', ')} to an MCP server`,
    {
      fix: 'That needs the permission secrets.write in addition to mcp.manage: ask someone who has it to save them, or omit the secret.',
    },
  )
}

/** Why a server that names secrets is not used; undefined if it may be. */
export function withheldFrom(spec: McpServerSpec, { secretsBy }: KeptServer): string | undefined {
  if (secretsBy !== undefined || namesIn(spec).secrets.length === 0) return undefined
  return 'it names secrets, and nobody with the permission secrets.write has saved it; it is used once someone does (toolcrib mcp enable)'
}

/** Everything that decides where secrets go, and which ones. */
function whereTo({ command, args, env, cwd, url, headers, oauth }: McpServerSpec): string {
  return JSON.stringify([command, args, env, cwd, url, headers, oauth])
}
