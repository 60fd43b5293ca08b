import { ToolError } from '../../core/kernel/errors.ts'
import { type CredentialOptions, headerNamePattern, tokenKeys } from './request-facts.ts'

export interface CredentialSources {
  options: CredentialOptions
  secrets: Readonly<Record<string, string | undefined>>
}

/**
 * Adds the header with a credential for the origin of this address. Its value comes from a secret,
 * and a caller can't set that header. Returns true if one was added.
 */
export function addCredential(
  url: URL,
  headers: Headers,
  { options, secrets }: CredentialSources,
): boolean {
  const found = [...options.credentials, ...ofTenant(secrets)].find(
    ({ origin }) => origin.toLowerCase() === url.origin,
  )
  if (found === undefined) return false
  const value = secrets[found.secret]
  if (!value) {
    throw new ToolError(
      'secret_missing',
      `Requests to ${url.origin} need ${found.secret}, which is not set`,
      {
        fix: `Set it with: toolcrib secrets set ${found.secret}`,
        details: { keys: [found.secret] },
      },
    )
  }
  if (!headerNamePattern.test(found.header)) {
    throw new ToolError('invalid_config', `${found.secret}_header is not the name of a header`, {
      fix: `Set a name such as x-api-key: toolcrib secrets set ${found.secret}_header`,
    })
  }
  headers.set(found.header, `${found.prefix}${value}`)
  return true
}

/** Without options, each token goes to the origin that is stored beside it. */
function ofTenant(secrets: CredentialSources['secrets']): CredentialOptions['credentials'] {
  return tokenKeys.flatMap((secret) => {
    const origin = URL.parse(secrets[`${secret}_origin`] ?? '')?.origin
    if (origin === undefined || origin === 'null') return []
    const header = secrets[`${secret}_header`]?.trim() || 'authorization'
    const prefix = header.toLowerCase() === 'authorization' ? 'Bearer ' : ''
    return [{ origin, secret, header, prefix }]
  })
}
