/** A secret in a text of a spec, such as `secret:stripe_key` in `Bearer secret:stripe_key`. */
const secretHere = /\bsecret:([A-Za-z](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9_-])?)?/g

/** The names of the secrets in a text; `undefined` where a name is missing or not literal. */
export function secretsIn(text: string): (string | undefined)[] {
  return [...text.matchAll(secretHere)].map(([whole, name], index, all) => {
    const end = (all[index]?.index ?? 0) + whole.length
    // The rest of the name would come from the caller, who could choose any secret.
    return text.startsWith('{{', end) ? undefined : name
  })
}

/** A part of a text: as it is, or the value of a secret. */
export type SecretPart = { text: string } | { secret: string }

/** Splits a text at its secrets. */
export function splitSecrets(text: string): SecretPart[] {
  if (!text.includes('secret:')) return [{ text }]
  const parts: SecretPart[] = []
  let from = 0
  for (const match of text.matchAll(secretHere)) {
    if (match[1] === undefined) continue
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ secret: match[1] })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}
