import type { Caller } from '../../../core/kernel/call.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { closedPort, portOf, toPortRule } from '../../../core/net/port-rule.ts'
import { holds } from '../../../core/operations/require-permission.ts'
import { readWith } from '../../../core/schema/read-with.ts'
import { isNotPublic, mayInstall, type ServerTerms } from '../../mcp-servers/server-rules.ts'
import { type ApiSpec, apiSchema, secretsOf } from '../spec.ts'

/** Parses settings, and refuses what the caller may not use. */
export function checkApi(value: unknown, caller: Caller, terms: ServerTerms): ApiSpec {
  const parsed = readWith(apiSchema, value)
  if (!parsed.ok) {
    const [first] = parsed.issues
    throw new ToolError('invalid_request', 'The settings of the API are invalid', {
      issues: parsed.issues,
      ...(first !== undefined && { fix: `${first.path || 'It'} ${first.message}` }),
    })
  }
  const spec = parsed.value
  refuseEnvironment(spec)
  const isPrivate = [spec.url, spec.server].some(
    (address) => address !== undefined && checkAddress(address, caller, terms),
  )
  return checkPrivate(isPrivate ? { ...spec, private: true } : spec, caller, terms)
}

/** The environment of the machine is for the configuration of MCP servers. */
function refuseEnvironment({ headers }: ApiSpec): void {
  const found = Object.entries(headers).find(([, text]) => /(?<![^\s])env:/.test(text))
  if (found === undefined) return
  throw new ToolError('invalid_request', `The header ${found[0]} names an environment variable`, {
    issues: [{ path: `/headers/${found[0]}`, message: 'can hold secret:<name> only' }],
    fix: 'Store the value as a secret (toolcrib secrets set <name>) and write secret:<name>.',
  })
}

/** True where it is not public, and the caller may allow that. */
export function checkAddress(address: string, caller: Caller, terms: ServerTerms): boolean {
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') {
    throw new ToolError('invalid_request', 'An address must not contain a name or password', {
      fix: 'Store them as a secret and name it under auth or headers.',
    })
  }
  const port = portOf(url)
  const refusal = toPortRule(terms.gateway.ports)(port)
  const isInstaller = mayInstall(caller, terms)
  if (refusal === 'other protocol' || (refusal !== undefined && !isInstaller)) {
    throw closedPort(port, refusal)
  }
  return isInstaller && (isNotPublic(url.hostname) || refusal !== undefined)
}

function checkPrivate(spec: ApiSpec, caller: Caller, terms: ServerTerms): ApiSpec {
  if (spec.private !== true || mayInstall(caller, terms)) return spec
  throw new ToolError('forbidden', 'Only the operator of this server may allow private addresses', {
    fix: 'Omit private, or ask for the address to be added to network.addresses.',
  })
}

/**
 * The address of the API. One that only the document names must be public, or be where the document
 * is: a document must not choose what this server reaches inside of its network.
 */
export function pickServer(
  spec: ApiSpec,
  servers: readonly string[],
  terms: { caller: Caller; terms: ServerTerms },
): ApiSpec & { server: string } {
  if (spec.server !== undefined) return { ...spec, server: spec.server }
  const [server] = servers
  if (server === undefined) {
    throw new ToolError('invalid_request', 'The document names no server', {
      issues: [{ path: '/server', message: 'is missing' }],
      fix: 'Give the address of the API as server.',
    })
  }
  const url = new URL(server)
  const isBeside = spec.url !== undefined && new URL(spec.url).host === url.host
  if (!isNotPublic(url.hostname) || isBeside || spec.private === true) {
    checkAddress(server, terms.caller, terms.terms)
    return { ...spec, server }
  }
  throw new ToolError('forbidden', `The document names a private server: ${url.host}`, {
    issues: [{ path: '/server', message: 'is not on the public internet' }],
    fix: 'If you trust it, give the address yourself as server.',
  })
}

/** Naming a secret discloses it to the API, which requires more than managing APIs. */
export function assertSecretUse(spec: ApiSpec, caller: Caller): void {
  const secrets = secretsOf(spec)
  if (secrets.length === 0 || holds(caller, 'secrets.write')) return
  throw new ToolError(
    'forbidden',
    `These settings send the secret ${secrets.join(', ')} to an API`,
    {
      fix: 'That needs the permission secrets.write in addition to apis.manage: ask someone who has it to save them, or omit the secret.',
    },
  )
}

/** Without pins every change of the document is accepted: that is for those who accept tools. */
export function requireApprover(caller: Caller, after: ApiSpec, before?: ApiSpec): void {
  if (after.pin || before?.pin === false || holds(caller, 'tools.approve')) return
  throw new ToolError('forbidden', 'Turning pins off needs the permission tools.approve', {
    fix: 'Omit pin, or ask someone who may accept tools.',
  })
}
