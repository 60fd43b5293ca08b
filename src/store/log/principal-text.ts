import type { Principal } from '../../core/kernel/call.ts'
import { toStoredText } from './stored-text.ts'

/** A principal as one column: `kind:id`. Kinds have no colon. */
export function toPrincipalText({ kind, id }: Principal): string {
  return toStoredText(`${kind}:${id}`)
}

/** Back from the column. */
export function parsePrincipal(text: string): Principal {
  const colon = text.indexOf(':')
  return { kind: text.slice(0, colon) as Principal['kind'], id: text.slice(colon + 1) }
}
