import { ToolError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json.ts'
import type {
  PolicyDocument,
  PolicyDocumentKind,
  GovernanceApi,
} from '../../core/rules/governance-api.ts'
import type { Rule, RuleDraft } from '../../core/rules/rule-store.ts'
import { listProfiles } from '../../core/policy/profiles.ts'
import { readWith } from '../../core/schema/read-with.ts'
import type { AgentAccessOptions } from './agent-access.ts'
import { checkPolicyDocument, policyDocumentSchemas } from './check-policy-document.ts'
import { findUsers } from './find-users.ts'
import { requireManager } from '../../core/operations/require-permission.ts'
import { policyDocumentPatterns, findPatternWarnings } from './pattern-warnings.ts'
import { toProvenance } from './to-agent.ts'

type PolicyDocumentAccess = Pick<
  GovernanceApi,
  'listPolicyDocuments' | 'writePolicyDocument' | 'deletePolicyDocument'
>

/** Far more than anybody reads; far less than would make a decision slow. */
const mostOfAKind = 1000
/** All of a kind together: every node holds them in memory, and looks through them with each change. */
const mostCharacters = 4_000_000

/** What a tenant decides beside its agents: its level, levels of providers, profiles, groups, packs. */
export function createPolicyDocumentAccess(options: AgentAccessOptions): PolicyDocumentAccess {
  const { rules } = options.store
  return {
    async listPolicyDocuments(caller, kind) {
      requireManager(caller, ['policy.read', 'policy.write'])
      return (await rules.read(caller.tenant, [kind])).map(toPolicyDocument)
    },
    async writePolicyDocument(caller, { kind, name, body, version }) {
      requireManager(caller, ['policy.write'])
      const parsed = parseBody(kind, name, body)
      const view = await options.views.find(caller.tenant)
      checkPolicyDocument({ kind, name, body: parsed }, { ...options, view })
      const rule = await rules.change(caller.tenant, caller.principal, async (draft) => {
        const known = await draft.find(kind, name)
        refuseDeclared(known)
        refuseStale(known, version)
        await refuseMany(draft, { kind, name, body: parsed })
        const written = await draft.put(kind, name, { body: parsed })
        const change = known === undefined ? 'created' : 'changed'
        draft.tell('policy.changed', {
          kind,
          name,
          change,
          before: known?.body ?? null,
          after: parsed,
        })
        return written
      })
      await options.views.refresh()
      const patterns = policyDocumentPatterns(kind, parsed)
      const warnings = await findPatternWarnings(caller.tenant, patterns, options)
      return { ...toPolicyDocument(rule), warnings }
    },
    async deletePolicyDocument(caller, { kind, name }) {
      requireManager(caller, ['policy.write'])
      await rules.change(caller.tenant, caller.principal, async (draft) => {
        const known = await draft.find(kind, name)
        if (known === undefined) throw noPolicyDocument(kind, name)
        refuseDeclared(known)
        await refuseUsed(draft, { kind, name })
        await draft.delete(kind, name)
        draft.tell('policy.changed', { kind, name, change: 'deleted', before: known.body })
      })
      await options.views.refresh()
    },
  }
}

function parseBody(kind: PolicyDocumentKind, name: string, body: unknown): JsonValue {
  checkName(kind, name)
  const parsed = readWith<JsonValue>(policyDocumentSchemas[kind], body)
  if (parsed.ok) return parsed.value
  const { issues } = parsed
  throw new ToolError('invalid_request', `This is no ${kind}: ${issues[0]?.message}`, { issues })
}

const names = /^[a-z][a-z0-9_-]{0,63}$/

function checkName(kind: PolicyDocumentKind, name: string): void {
  const isGood = kind === 'policy' ? name === 'tenant' : names.test(name)
  if (isGood) return
  const must =
    kind === 'policy'
      ? 'the one level of a tenant is called tenant'
      : 'write small letters, digits, - and _'
  throw new ToolError(
    'invalid_request',
    `${JSON.stringify(name.slice(0, 100))} is no name: ${must}`,
  )
}

function refuseDeclared(rule: Rule | undefined): void {
  if (rule?.isDeclared !== true) return
  throw new ToolError('conflict', `${rule.kind} ${rule.name} is declared by the configuration`, {
    fix: 'Change it there and start again.',
  })
}

function refuseStale(rule: Rule | undefined, version: number | undefined): void {
  const current = rule?.version ?? 0
  if (version === undefined || version === current) return
  throw new ToolError('conflict', `It was changed meanwhile: it has version ${current}`, {
    fix: 'Read it again, then change what you find.',
    details: { version: current },
  })
}

async function refuseMany(
  draft: RuleDraft,
  { kind, name, body }: { kind: PolicyDocumentKind; name: string; body: JsonValue },
): Promise<void> {
  const others = (await draft.list(kind)).filter((rule) => rule.name !== name)
  const bodies = [body, ...others.map((rule) => rule.body)]
  const characters = bodies.reduce<number>((sum, one) => sum + JSON.stringify(one).length, 0)
  if (others.length < mostOfAKind && characters <= mostCharacters) return
  const most =
    others.length < mostOfAKind
      ? `All of kind ${kind} together may have ${mostCharacters} characters`
      : `There are ${mostOfAKind} of kind ${kind} already`
  throw new ToolError('quota_exceeded', most, { fix: 'Delete what is not used.' })
}

async function refuseUsed(
  draft: RuleDraft,
  document: { kind: PolicyDocumentKind; name: string },
): Promise<void> {
  const users = await findUsers(draft, document)
  if (users.length === 0) return
  const shown = users.slice(0, 10).join(', ')
  const more = users.length > 10 ? ` and ${users.length - 10} more` : ''
  throw new ToolError(
    'conflict',
    `The ${document.kind} ${document.name} is named by ${shown}${more}, which would then get nothing`,
    { fix: 'Change those first.' },
  )
}

function noPolicyDocument(kind: PolicyDocumentKind, name: string): ToolError {
  const isShipped = kind === 'profile' && listProfiles({}).includes(name)
  const why = isShipped ? 'it is shipped and stays' : `there is no ${kind} of that name`
  return new ToolError('not_found', `${JSON.stringify(name.slice(0, 100))}: ${why}`)
}

function toPolicyDocument(rule: Rule): PolicyDocument {
  const kind = rule.kind as PolicyDocumentKind
  const isGood = policyDocumentSchemas[kind].safeParse(rule.body).success
  const closed = 'It is stored in a form that is not known; what rests on it lets nothing through'
  return {
    kind,
    name: rule.name,
    body: rule.body,
    ...(!isGood && { closed }),
    ...toProvenance(rule),
  }
}
