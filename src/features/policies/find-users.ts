import type { JsonValue } from '../../core/json.ts'
import type { PolicyDocumentKind } from './schemas.ts'
import type { Rule, RuleDraft, RuleKind } from '../../core/rules/rule-store.ts'

/** What uses a profile or a group, in words: `agent support`, `policy tenant`. */
export async function findUsers(
  draft: RuleDraft,
  { kind, name }: { kind: PolicyDocumentKind; name: string },
): Promise<string[]> {
  if (kind !== 'profile' && kind !== 'group') return []
  const kinds: readonly RuleKind[] = [
    'agent',
    'grants',
    'policy',
    'provider',
    'profile',
    'group',
    'skill',
  ]
  const users: string[] = []
  for (const each of kinds) {
    for (const rule of await draft.list(each)) {
      const isItself = rule.kind === kind && rule.name === name
      if (!isItself && names(rule, kind, name)) users.push(toWords(rule))
    }
  }
  return [...new Set(users)]
}

function names({ body }: Rule, kind: 'profile' | 'group', name: string): boolean {
  if (kind === 'group') return holdsText(body, `group:${name}`)
  return holdsProfile(body, name)
}

function holdsProfile(value: JsonValue, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (!Array.isArray(value) && value['profile'] === name) return true
  return Object.values(value).some((part) => holdsProfile(part, name))
}

function holdsText(value: JsonValue, text: string): boolean {
  if (typeof value === 'string') return value === text
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((part) => holdsText(part, text))
}

function toWords({ kind, name }: Rule): string {
  return kind === 'grants' ? `agent ${name}` : `${kind} ${name}`
}
