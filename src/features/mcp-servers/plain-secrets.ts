import type { Issue } from '../../core/kernel/errors.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import { isSecretName, looksSecret } from '../../core/secrets/looks-secret.ts'

const byName = /(?<![^\s])(?:secret|env):[A-Za-z_][A-Za-z0-9_.-]*(?![^\s])/g
/**
 * Values in a server's settings that look like secrets. Settings are stored and shown in plain text, so a secret must be stored separately and referenced by name.
 */
export function findPlainSecrets({ env, headers, args, url, oauth }: McpServerSpec): Issue[] {
  const named = (at: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).flatMap(([name, value]) =>
      isPlain(name, value) ? [toIssue(`/${at}/${name}`)] : [],
    )
  const query = url === undefined ? [] : [...new URL(url).searchParams]
  return [
    ...named('env', env),
    ...named('headers', headers),
    ...args.flatMap((arg, at) =>
      isPlainArgument(arg, args[at - 1]) ? [toIssue(`/args/${at}`)] : [],
    ),
    ...(query.some(([name, value]) => isPlain(name, value)) ? [toIssue('/url')] : []),
    ...(oauth?.clientSecret !== undefined && isPlain('secret', oauth.clientSecret)
      ? [toIssue('/oauth/clientSecret')]
      : []),
  ]
}

function isPlain(name: string, value: string): boolean {
  const rest = value.replaceAll(byName, '').trim()
  if (rest === '') return false
  // `Bearer secret:<name>` contains the scheme, but not the secret.
  const isNamed = rest !== value.trim() && /^[A-Za-z]{0,20}$/.test(rest)
  return !isNamed && ((isSecretName(name) && rest.length >= 4) || looksSecret(rest))
}

/** `--api-key=…`, or the word after `--api-key`. */
function isPlainArgument(arg: string, before: string | undefined): boolean {
  const [, name = '', value = ''] = /^--?([\w-]+)=(.*)$/s.exec(arg) ?? []
  if (name !== '') return isPlain(name, value)
  const isValue = before !== undefined && /^--?[\w-]+$/.test(before) && !arg.startsWith('-')
  return isValue ? isPlain(before, arg) : looksSecret(arg)
}

function toIssue(path: string): Issue {
  return {
    path,
    message: 'looks like a secret, which settings must not contain; write secret:<name>',
  }
}
