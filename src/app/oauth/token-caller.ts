import { tokenSignIn } from '../../core/oauth/oauth-api.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import { parseEmail, parseVouchedEmail } from '../../core/people/email.ts'
import type { Member } from '../../core/people/member.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import { commonPermissions, compilePermissions } from '../../core/policy/permissions.ts'
import type { Stores } from '../../features/stores.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { isOpen } from '../governance/tenant-gate.ts'
import type { TokenFacts } from './read-token.ts'

export interface TokenCallerParts {
  store: Pick<Stores, 'now' | 'members'>
  roles: RoleBook
  views: Pick<TenantViews, 'find'>
}

/** Also reports why a token does not identify a member. */
type Telling = TokenCallerParts & { onUnfit(reason: string): void }

/** A caller without the door it came through. */
export type TokenCaller = Omit<Caller, 'runtime'>

/**
 * Finds the member that a token identifies, with the permissions that both its scopes and their
 * role allow. Throws forbidden for non-members, always with the same message.
 */
export async function findTokenCaller(
  facts: TokenFacts,
  { store, roles, views, onUnfit }: Telling,
): Promise<TokenCaller> {
  const tenant = tenantOf(facts)
  if (tenant === undefined || !(await isOpen(views, tenant))) throw notWelcome()
  const member = await findMember(facts, tenant, store.members)
  if (member === undefined) tellWhy(facts, onUnfit)
  if (member?.status !== 'active') throw notWelcome()
  const agent = agentOf(facts)
  if (agent !== undefined && !(await isAgent(views, tenant, agent))) throw notWelcome()
  return {
    tenant,
    principal: { kind: 'user', id: member.id },
    permissions: commonPermissions(permittedBy(facts), roles.permissionsOf(member)),
    ...(agent !== undefined && { agent }),
    // Signed in, but not by a browser of ours: it never counts as the local owner.
    signInId: tokenSignIn + facts.issuer.issuer,
  }
}

/** Permissions of the scopes, independent of the member. */
function permittedBy({ issuer, scopes }: TokenFacts): string[] {
  return scopes.flatMap((scope) =>
    Object.hasOwn(issuer.scopes, scope) ? (issuer.scopes[scope] ?? []) : [],
  )
}

/**
 * Throws forbidden for a member whose role cannot call tools, even if the token allows it. If this
 * were reported as a missing scope, clients would ask them to sign in again and again.
 */
export function assertRoleCalls(facts: TokenFacts, { permissions }: TokenCaller): void {
  if (compilePermissions(permissions).has('tools.call')) return
  if (!compilePermissions(permittedBy(facts)).has('tools.call')) return
  throw new ToolError(
    'forbidden',
    'The token is valid, but the role of its member cannot call tools',
    {
      fix: 'Ask an administrator for a role with the permission tools.call.',
    },
  )
}

function tenantOf({ issuer, claims }: TokenFacts): string | undefined {
  if (issuer.tenantClaim === undefined) return issuer.tenant
  const named = claims[issuer.tenantClaim]
  if (typeof named !== 'string') return undefined
  return issuer.tenants === undefined || issuer.tenants.includes(named) ? named : undefined
}

async function findMember(
  { issuer, claims }: TokenFacts,
  tenant: string,
  members: Stores['members'],
): Promise<Member | undefined> {
  const subject = claims.sub ?? ''
  const mapped = Object.hasOwn(issuer.subjects, subject) ? issuer.subjects[subject] : undefined
  if (mapped !== undefined) {
    return mapped.includes('@')
      ? members.findByEmail(tenant, parseEmail(mapped))
      : members.find(tenant, mapped)
  }
  const address = claims[issuer.emailClaim]
  const isVerified = issuer.verifiedEmails || claims['email_verified'] === true
  if (typeof address !== 'string' || !isVerified) return undefined
  const email = readEmail(address)
  return email === undefined ? undefined : members.findByEmail(tenant, email)
}

/** Many issuers add no email address to access tokens unless configured to. */
function tellWhy({ issuer: config, claims }: TokenFacts, onUnfit: Telling['onUnfit']): void {
  const { issuer, emailClaim, verifiedEmails } = config
  const isThere = typeof claims[emailClaim] === 'string'
  if (isThere && (verifiedEmails || claims['email_verified'] === true)) return
  const lack = isThere ? 'no email_verified: true beside the address' : `no claim ${emailClaim}`
  onUnfit(
    `An access token of ${issuer} has ${lack}, so it does not identify a member: configure the issuer to add it, or see subjects and verifiedEmails of server.oauth.issuers`,
  )
}

function readEmail(text: string): string | undefined {
  try {
    return parseVouchedEmail(text)
  } catch (error) {
    if (isToolError(error)) return undefined
    throw error
  }
}

/**
 * The configuration takes precedence over the claim, and the claim over the address that a token is
 * for.
 */
function agentOf({ issuer, claims, agent }: TokenFacts): string | undefined {
  const claimed = issuer.agentClaim === undefined ? undefined : claims[issuer.agentClaim]
  const named = [issuer.agent, claimed, agent].filter((one) => one !== undefined)
  const [first] = named
  if (named.some((one) => one !== first)) throw notWelcome()
  if (first !== undefined && typeof first !== 'string') throw notWelcome()
  return first
}

async function isAgent(
  views: Pick<TenantViews, 'find'>,
  tenant: string,
  slug: string,
): Promise<boolean> {
  const view = await views.find(tenant)
  return (await view?.agent(slug)) !== undefined
}

function notWelcome(): ToolError {
  return new ToolError('forbidden', 'The token is valid, but does not identify a member here', {
    fix: 'Ask an administrator to add you, or to map your subject in server.oauth.',
  })
}
