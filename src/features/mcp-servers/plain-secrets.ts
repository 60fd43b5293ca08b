import type { Issue } from '../../core/kernel/errors.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import { createKeyScanner } from '../../core/keys/key-scanner.ts'

const byName = /(?<![^\s])(?:secret|env):[A-Za-z_][A-Za-z0-9_.-]*(?![^\s])/g
/** Names whose values are always secrets. */
const secretName =
  /auth|token|secret|passw|credential|cookie|api[-_]?key|access[-_]?key|private[-_]?key/i
/** Tokens with a recognisable format, and JSON web tokens. */
const knownToken =
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bxox[a-z]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}|\beyJ[\w-]{10,}\.[\w-]{10,}|\bglpat-[\w-]{16,}|\bAIza[\w-]{30,}/
const longWord = /[A-Za-z0-9+/=_-]{32,}/g

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
  return !isNamed && ((secretName.test(name) && rest.length >= 4) || looksSecret(rest))
}

/** `--api-key=…`, or the word after `--api-key`. */
function isPlainArgument(arg: string, before: string | undefined): boolean {
  const [, name = '', value = ''] = /^--?([\w-]+)=(.*)$/s.exec(arg) ?? []
  if (name !== '') return isPlain(name, value)
  const isValue = before !== undefined && /^--?[\w-]+$/.test(before) && !arg.startsWith('-')
  return isValue ? isPlain(before, arg) : looksSecret(arg)
}

function looksSecret(text: string): boolean {
  const scan = createKeyScanner()
  if (scan(`${text}\n`).length > 0 || knownToken.test(text)) return true
  return (text.match(longWord) ?? []).some(isRandom)
}

/** Words and paths are repetitive; random values mix upper case, lower case and digits. */
function isRandom(word: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(word)).length
  const isHex = /^[0-9a-f]+$/i.test(word)
  const parts = word.split(/[/_=-]/)
  const hasLongPart = parts.some((part) => part.length >= 20)
  return hasLongPart && (kinds === 3 || (isHex && /\d/.test(word) && /[a-f]/i.test(word)))
}

function toIssue(path: string): Issue {
  return {
    path,
    message: 'looks like a secret, which settings must not contain; write secret:<name>',
  }
}
