import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { type McpServerSpec, mcpServerSchema } from '../../core/gateway/server-spec.ts'
import { addressKind } from '../../core/net/address-kind.ts'
import { closedPort, portOf, toPortRule } from '../../core/net/port-rule.ts'
import { compilePermissions } from '../../core/policy/permissions.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { GatewayConfig } from './config.ts'
import { findMisplaced, type MisplacedSecret } from './misplaced-secret.ts'
import { findPlainSecrets } from './plain-secrets.ts'
import { readWith } from '../../core/schema/read-with.ts'

/** The rules for adding servers. */
export interface ServerTerms {
  gateway: GatewayConfig
  /** The server listens only on this machine. */
  isLocal(): boolean
}

/**
 * True for an owner or admin of the default tenant in their own tenant, or one of their keys: the
 * operator of the installation.
 */
export function isInstaller(caller: Caller): boolean {
  return (
    caller.tenant === defaultTenant &&
    (caller.home ?? caller.tenant) === defaultTenant &&
    caller.agent === undefined &&
    compilePermissions(caller.permissions).has('*')
  )
}

/** A caller who may add programs may also use private addresses, because a program could reach them anyway. */
export function mayInstall(caller: Caller, terms: ServerTerms): boolean {
  return isInstaller(caller) && stdioMode(terms) === 'operators'
}

export function stdioMode({ gateway, isLocal }: ServerTerms): 'configured' | 'operators' {
  return gateway.stdio ?? (isLocal() ? 'operators' : 'configured')
}

/** Parses the server to add, and refuses settings the caller may not use. */
export function checkServer(value: unknown, caller: Caller, terms: ServerTerms): McpServerSpec {
  const spec = parseServer(value)
  if (spec.command !== undefined) checkCommand(spec.command, caller, terms)
  checkNamesOfMachine(spec, caller, terms)
  refuseMisplaced(findMisplaced(spec))
  const secrets = findPlainSecrets(spec)
  if (secrets.length > 0) throw plainSecret(secrets)
  return spec.url === undefined ? spec : checkAddress({ ...spec, url: spec.url }, caller, terms)
}

/** Throws invalid_request with each problem and its place. */
export function parseServer(value: unknown): McpServerSpec {
  const parsed = readWith(mcpServerSchema, value)
  if (parsed.ok) return parsed.value
  const { issues } = parsed
  throw new ToolError('invalid_request', 'The settings of the MCP server are invalid', {
    issues,
    fix: issues[0] && `${issues[0].path || 'It'} ${issues[0].message}`,
  })
}

function checkCommand(command: string, caller: Caller, terms: ServerTerms): void {
  if (stdioMode(terms) === 'configured') {
    throw new ToolError('forbidden', 'Only the configuration can add programs as MCP servers', {
      fix: 'Declare it there under mcpServers, set gateway.stdio to operators, or give the url of a server over HTTP.',
    })
  }
  if (!isInstaller(caller)) {
    throw new ToolError(
      'forbidden',
      'Only owners and admins of the default tenant can add programs',
      {
        fix: 'Give the url of a server over HTTP, or ask the operator of this server.',
      },
    )
  }
  const { programs } = terms.gateway
  if (programs === undefined || programs.includes(command)) return
  throw new ToolError('forbidden', `${command} is not one of the programs that may be added`, {
    fix: `Allowed: ${programs.join(', ') || 'none'} (gateway.programs of the configuration).`,
  })
}

/** Tenants may not read the environment of this machine. */
function checkNamesOfMachine(spec: McpServerSpec, caller: Caller, terms: ServerTerms): void {
  const { env, headers, oauth } = spec
  const texts = [...Object.values(env), ...Object.values(headers), oauth?.clientSecret ?? '']
  const namesMachine = texts.some((text) => /(?<![^\s])env:/.test(text))
  if (!namesMachine || mayInstall(caller, terms)) return
  throw new ToolError('forbidden', 'env:<NAME> reads the environment of this machine', {
    fix: 'Store the value as a secret (toolcrib secrets set <name>) and write secret:<name>.',
  })
}

/** Also decides whether private addresses are allowed. The guard checks each connection again. */
function checkAddress(
  spec: McpServerSpec & { url: string },
  caller: Caller,
  terms: ServerTerms,
): McpServerSpec {
  const url = new URL(spec.url)
  if (url.username !== '' || url.password !== '') {
    throw new ToolError('invalid_request', 'An address must not contain a name or password', {
      issues: [{ path: '/url', message: 'holds credentials' }],
      fix: 'Store them as a secret and reference it in a header: authorization: secret:<name>.',
    })
  }
  checkPort(url, caller, terms)
  const isHere = isNotPublic(url.hostname)
  const isOdd = toPortRule(terms.gateway.ports)(portOf(url)) !== undefined
  if (mayInstall(caller, terms)) return isHere || isOdd ? { ...spec, private: true } : spec
  if (spec.private === true) {
    throw new ToolError(
      'forbidden',
      'Only the operator of this server may allow private MCP servers',
      {
        fix: 'Omit private, or ask for the address to be added to gateway.addresses.',
      },
    )
  }
  return spec
}

/** Checked when the server is added, not only at the first call. */
function checkPort(url: URL, caller: Caller, terms: ServerTerms): void {
  const port = portOf(url)
  const refusal = toPortRule(terms.gateway.ports)(port)
  if (refusal === undefined) return
  if (refusal === 'other protocol' || !mayInstall(caller, terms)) throw closedPort(port, refusal)
}

/** True for an address inside of a network, or a name that only such a network knows. */
export function isNotPublic(hostname: string): boolean {
  const kind = addressKind(hostname)
  const isName = kind === undefined
  return isName ? /^localhost$|\.localhost$|^[^.]+$/i.test(hostname) : kind !== 'public'
}

function refuseMisplaced(misplaced: MisplacedSecret | undefined): void {
  if (misplaced === undefined) return
  const { path, fix } = misplaced
  const issues = [{ path, message: 'names a secret, which is resolved only in env and headers' }]
  const message = `A secret can not be named in ${path.slice(1)}`
  throw new ToolError('invalid_request', message, { issues, fix })
}

function plainSecret(issues: readonly { path: string; message: string }[]): ToolError {
  const [first] = issues
  return new ToolError('invalid_request', `${first?.path.slice(1)} looks like a secret`, {
    issues,
    fix: toPlaceOf(first?.path ?? ''),
  })
}

function toPlaceOf(path: string): string {
  const keep = 'Store it as a secret (toolcrib secrets set <name>)'
  if (path.startsWith('/args')) return `${keep} and give it in env: NAME=secret:<name>.`
  if (path === '/url') return `${keep} and send it in a header: secret:<name>.`
  return `${keep} and write secret:<name> in its place, for instance "Bearer secret:docs_token".`
}
