import { createRedactor, type Redactor } from '../../core/secrets/redact.ts'

interface TokenHolder {
  /** Tokens that requests were signed with; the same list while there is no other. */
  given(): readonly string[]
}

/** Takes out what a connection was given: what its spec names, and the tokens its requests are signed with. */
export function toRedactor(
  sensitive: Readonly<Record<string, string>>,
  auth: object | undefined,
): Redactor {
  return auth !== undefined && 'given' in auth
    ? createTokenRedactor(sensitive, auth as TokenHolder)
    : createRedactor(sensitive)
}

/** Tokens are renewed while the connection lasts, so what is looked for changes with them. */
function createTokenRedactor(
  sensitive: Readonly<Record<string, string>>,
  holder: TokenHolder,
): Redactor {
  let tokens: readonly string[] = []
  let made = createRedactor(sensitive)
  const current = () => {
    const given = holder.given()
    if (given === tokens) return made
    tokens = given
    const named = given.map((token, age) => [`sign-in token${age === 0 ? '' : ` ${age}`}`, token])
    made = createRedactor({ ...sensitive, ...Object.fromEntries(named) })
    return made
  }
  return {
    get isEmpty() {
      return current().isEmpty
    },
    redactText: (text) => current().redactText(text),
    redactValue: (value) => current().redactValue(value),
    redactPartial: (value) => current().redactPartial(value),
    redactGrowing: (text) => current().redactGrowing(text),
    redactStream: () => current().redactStream(),
  }
}
