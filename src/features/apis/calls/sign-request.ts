import { ToolError } from '../../../core/kernel/errors.ts'
import type { ApiSpec } from '../spec.ts'
import type { AuthScheme, ApiOperation } from '../model.ts'
import { namedSecret } from '../spec.ts'
import type { OperationRequestParts } from './to-request.ts'

interface Signing {
  spec: Pick<ApiSpec, 'auth' | 'headers'>
  schemes: readonly AuthScheme[]
  security: ApiOperation['security']
  secrets: Readonly<Record<string, string | undefined>>
}

/** Adds credentials and the headers of the settings. Only for requests to the host of the API. */
export function signRequest(request: OperationRequestParts, signing: Signing): void {
  const { spec, schemes } = signing
  for (const name of schemesFor(signing)) {
    const scheme = schemes.find((one) => one.name === name)
    const secret = spec.auth[name]
    if (scheme !== undefined && secret !== undefined) {
      addCredential(request, scheme, secretOf(secret, signing.secrets))
    }
  }
  for (const [name, text] of Object.entries(spec.headers)) {
    const value = text.replaceAll(namedSecret, (_all, key: string) =>
      secretOf(key, signing.secrets),
    )
    request.headers.set(name, checkHeader(name, value))
  }
}

/** The schemes of the first alternative that can be met; those that are given where none can be. */
function schemesFor({ security, spec }: Signing): readonly string[] {
  const isGiven = (name: string) => Object.hasOwn(spec.auth, name)
  const whole = security.find((names) => names.length > 0 && names.every(isGiven))
  if (whole !== undefined) return whole
  const part = security.map((names) => names.filter(isGiven)).find((names) => names.length > 0)
  // Documents that do not mention security often need it nevertheless.
  return part ?? (security.length === 0 ? Object.keys(spec.auth).slice(0, 1) : [])
}

function addCredential(
  { url, headers }: OperationRequestParts,
  scheme: AuthScheme,
  secret: string,
): void {
  if (scheme.kind === 'bearer')
    headers.set('authorization', checkHeader('authorization', `Bearer ${secret}`))
  if (scheme.kind === 'basic') headers.set('authorization', `Basic ${toBase64(secret)}`)
  if (scheme.kind !== 'key') return
  const { in: place, parameter } = scheme
  if (place === 'query') url.searchParams.set(parameter, secret)
  else if (place === 'header') headers.set(parameter, checkHeader(parameter, secret))
  else {
    const cookie = `${parameter}=${encodeURIComponent(secret)}`
    const before = headers.get('cookie')
    headers.set('cookie', before === null ? cookie : `${before}; ${cookie}`)
  }
}

function toBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}

function secretOf(name: string, secrets: Signing['secrets']): string {
  const value = Object.hasOwn(secrets, name) ? secrets[name] : undefined
  if (value !== undefined && value !== '') return value
  throw new ToolError('secret_missing', `The secret ${name} is not set`, {
    fix: `Set it: toolcrib secrets set ${name}`,
    details: { keys: [name] },
  })
}

/** Never shows the value. */
function checkHeader(name: string, value: string): string {
  const trimmed = value.trim()
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(trimmed)) return trimmed
  throw new ToolError('invalid_config', `The value of the header ${name} can not be sent`, {
    fix: 'It must be on one line: set the secret again, without line breaks.',
  })
}
