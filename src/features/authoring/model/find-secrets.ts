import type { Finding } from '../../../core/kernel/finding.ts'
import { pointerStep } from '../../../core/kernel/json/json-pointer.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { holdsKnownToken, isSecretName, looksSecret } from '../../../core/secrets/looks-secret.ts'
import type { ToolDocument } from './tool-document.ts'

/** More say nothing else. */
const findingsAtMost = 10

/**
 * Values in a document that look like secrets: it is stored in plain text, kept in every version and
 * read by all who see the tool. A token of a known format is an error, anything else a warning.
 */
export function findSecrets({ spec, examples, tests, inputSchema }: ToolDocument): Finding[] {
  const parts = { spec, examples, tests, inputSchema }
  const texts = Object.entries(parts).flatMap(([name, part]) => textsIn(part, `/${name}`))
  const { headers, query } = spec as { headers?: unknown; query?: unknown }
  const named = [...textsIn(headers, '/spec/headers'), ...textsIn(query, '/spec/query')]
  const paths = new Set(named.filter(isNamedSecret).map(({ path }) => path))
  return texts
    .filter(({ path, text }) => paths.has(path) || looksSecret(text))
    .slice(0, findingsAtMost)
    .map(toFinding)
}

interface Place {
  path: string
  text: string
}

function textsIn(value: unknown, path: string): Place[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (!isRecord(value) && !Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, member]) => textsIn(member, pointerStep(path, key)))
}

/** A literal value of a header or parameter with a name such as `authorization`. */
function isNamedSecret({ path, text }: Place): boolean {
  const isFilledIn = text.includes('{{') || text.includes('secret:')
  return !isFilledIn && text.length >= 8 && isSecretName(path.split('/').at(3) ?? '')
}

/** Never with the value. */
function toFinding({ path, text }: Place): Finding {
  return {
    path,
    message: 'looks like a secret, which all who see this tool could read',
    fix: 'Store it with toolcrib secrets set <name>, and write secret:<name> in a header or the query of an HTTP request.',
    severity: holdsKnownToken(text) ? 'error' : 'warning',
  }
}
