import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { listProfiles } from '../../core/policy/profiles.ts'
import type { WrittenPatterns } from '../../core/policy/idle-patterns.ts'
import type { Rule, RuleDraft, RuleKind } from '../../core/rules/rule-store.ts'
import { readWith } from '../../core/schema/read-with.ts'
import { toProvenance } from '../agents/read-agent.ts'
import { policyDocumentBodies } from './check-document.ts'
import { policyDocumentKinds, type PolicyDocument, type PolicyDocumentKind } from './schemas.ts'

/** Far more than anyone needs, and far less than would slow down a decision. */
const mostOfAKind = 1000
/**
 * The limit for all documents of a kind: every node keeps them in memory and scans them on each
 * change.
 */
const mostCharacters = 4_000_000

/** The kind named in a path. */
export function parseKind(text: string): PolicyDocumentKind {
  const kind = policyDocumentKinds.find((candidate) => candidate === text)
  if (kind !== undefined) return kind
  const known = policyDocumentKinds.join(', ')
  throw new ToolError('not_found', `There is no such kind; the kinds are ${known}`)
}

/** The patterns of a level, a profile or a group. */
export function patternsOf(kind: PolicyDocumentKind, body: unknown): WrittenPatterns[] {
  if (kind === 'pack') return []
  if (kind === 'group') return [{ where: 'pattern', patterns: body as readonly string[] }]
  const { allow = [], deny = [] } = body as Partial<Record<'allow' | 'deny', readonly string[]>>
  return [
    { where: 'allow', patterns: allow },
    { where: 'deny', patterns: deny },
  ]
}

/** A document whose name and body are valid for its kind. */
export function parseBody(
  kind: PolicyDocumentKind,
  name: string,
  body: unknown,
): { kind: PolicyDocumentKind; name: string; body: JsonValue } {
  checkName(kind, name)
  const parsed = readWith<JsonValue>(policyDocumentBodies[kind], body)
  if (parsed.ok) return { kind, name, body: parsed.value }
  const { issues } = parsed
  throw new ToolError('invalid_request', `This is not a valid ${kind}: ${issues[0]?.message}`, {
    issues,
  })
}

const names = /^[a-z][a-z0-9_-]{0,63}$/

function checkName(kind: PolicyDocumentKind, name: string): void {
  const isGood = kind === 'policy' ? name === 'tenant' : names.test(name)
  if (isGood) return
  const must =
    kind === 'policy'
      ? 'the policy of a tenant is called tenant'
      : 'use lower case letters, digits, - and _, starting with a letter'
  throw new ToolError(
    'invalid_request',
    `${JSON.stringify(name.slice(0, 100))} is not a valid name: ${must}`,
  )
}

export function refuseDeclared(rule: Rule | undefined): void {
  if (rule?.isDeclared !== true) return
  throw new ToolError('conflict', `${rule.kind} ${rule.name} is declared in the configuration`, {
    fix: 'Change it there and restart.',
  })
}

export function refuseStale(rule: Rule | undefined, version: number | undefined): void {
  const current = rule?.version ?? 0
  if (version === undefined || version === current) return
  throw new ToolError('conflict', `It has changed: it now has version ${current}`, {
    fix: 'Read it again, then change that version.',
    details: { version: current },
  })
}

export async function refuseMany(
  draft: RuleDraft,
  { kind, name, body }: { kind: PolicyDocumentKind; name: string; body: JsonValue },
): Promise<void> {
  const others = (await draft.list(kind)).filter((rule) => rule.name !== name)
  const bodies = [body, ...others.map((rule) => rule.body)]
  const characters = bodies.reduce<number>((sum, one) => sum + JSON.stringify(one).length, 0)
  if (others.length < mostOfAKind && characters <= mostCharacters) return
  const most =
    others.length < mostOfAKind
      ? `All documents of kind ${kind} together may have ${mostCharacters} characters`
      : `There are already ${mostOfAKind} of kind ${kind}`
  throw new ToolError('quota_exceeded', most, { fix: 'Delete documents you do not use.' })
}

export async function refuseUsed(
  draft: RuleDraft,
  document: { kind: PolicyDocumentKind; name: string },
): Promise<void> {
  const users = await findUsers(draft, document)
  if (users.length === 0) return
  const shown = users.slice(0, 10).join(', ')
  const more = users.length > 10 ? ` and ${users.length - 10} more` : ''
  throw new ToolError(
    'conflict',
    `The ${document.kind} ${document.name} is used by ${shown}${more}, which would then get no tools`,
    { fix: 'Change those first.' },
  )
}

export function documentNotFound(kind: PolicyDocumentKind, name: string): ToolError {
  const isShipped = kind === 'profile' && listProfiles({}).includes(name)
  const why = isShipped ? 'it is shipped and cannot be deleted' : `there is no ${kind} of that name`
  return new ToolError('not_found', `${JSON.stringify(name.slice(0, 100))}: ${why}`)
}

export function toPolicyDocument(rule: Rule): PolicyDocument {
  const kind = rule.kind as PolicyDocumentKind
  const isGood = policyDocumentBodies[kind].safeParse(rule.body).success
  const closed = 'It is stored in an unknown format, so everything that depends on it is denied'
  return {
    kind,
    name: rule.name,
    body: rule.body,
    ...(!isGood && { closed }),
    ...toProvenance(rule),
  }
}

/** The users of a profile or a group, as text: `agent support`, `policy tenant`. */
async function findUsers(
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
      if (!isItself && usesName(rule, kind, name)) users.push(toUserWords(rule))
    }
  }
  return [...new Set(users)]
}

function usesName({ body }: Rule, kind: 'profile' | 'group', name: string): boolean {
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

function toUserWords({ kind, name }: Rule): string {
  return kind === 'grants' ? `agent ${name}` : `${kind} ${name}`
}
