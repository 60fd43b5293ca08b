import type { Change } from './scope.ts'

/*
 * The changes that would lift a rule: a command, a request, or a configuration key. They are all
 * defined here, so that explain never names a command that no longer exists.
 */

/** Rules from configuration can only be changed there. */
export const declaredBy = 'configuration'

/** The place of a rule, as needed to name it. */
interface AgentPlace {
  tenant: string
  slug: string
  setBy: string | undefined
}

/** Configured agents can get grants, too. */
export function toGrant({ slug }: AgentPlace, tool: string): Change {
  return {
    command: `toolcrib agents grant ${slug} ${tool}`,
    api: `POST /api/v1/agents/${slug}/grants`,
  }
}

/** Removes a grant or a deny at its source. */
export function toUngrant(agent: AgentPlace, pattern: string, sources: readonly string[]): Change {
  const skill = sources.find((source) => source.startsWith('skill:'))?.slice('skill:'.length)
  if (skill !== undefined) {
    return { command: `toolcrib skills disable ${skill} --agent ${agent.slug}` }
  }
  if (sources.includes('global')) return { configuration: `${agentKey(agent)}.tools` }
  return {
    command: `toolcrib agents revoke ${agent.slug} ${toWord(pattern)}`,
    api: `DELETE /api/v1/agents/${agent.slug}/grants`,
  }
}

/** Changes a field of an agent. */
export function toAgentChange(agent: AgentPlace, field: string): Change {
  if (agent.setBy === declaredBy) return { configuration: `${agentKey(agent)}.${field}` }
  const { slug } = agent
  return {
    command: `toolcrib agents set ${slug} ${toOption(field)}`,
    api: `PATCH /api/v1/agents/${slug}`,
  }
}

/** The option for a field. Lists and maps are replaced as a whole, so they are left open here. */
function toOption(field: string): string {
  const [part = ''] = field.split(/[.[]/)
  if (part === 'autonomy') return '--autonomy standard'
  if (part === 'tools') return '--profile PROFILE'
  return part.endsWith('Enabled')
    ? `--input '{"${part}":true}'`
    : `--input '{"${part}":…}' (all of ${part}, with the change)`
}

/** A pattern quoted for a shell, which would otherwise expand it to file names. */
function toWord(pattern: string): string {
  return pattern.includes('*') ? `'${pattern}'` : pattern
}

/** Changes a level of policy by its name. */
export function toLevelChange(
  { name, setBy }: { name: string; setBy: string | undefined },
  tenant: string,
): Change {
  if (name === 'global') return { configuration: 'policy' }
  const skill = name.startsWith('skill:') ? name.slice('skill:'.length) : undefined
  if (skill !== undefined) return { command: `toolcrib skills install ${skill}` }
  const [, provider] = /^provider (\S+)/.exec(name) ?? []
  if (setBy === declaredBy) {
    const key = provider === undefined ? `tenants[${tenant}].policy` : `providers.${provider}`
    return { configuration: key }
  }
  if (provider === undefined) {
    return { command: 'toolcrib policy set tenant', api: 'PUT /api/v1/policies/policy/tenant' }
  }
  return {
    command: `toolcrib policy set provider:${provider}`,
    api: `PUT /api/v1/policies/provider/${provider}`,
  }
}

/** Enables a pack; the tenant's own setting overrides the default. */
export function toPackOn(pack: string, tenant: string, setBy: string | undefined): Change {
  if (setBy === declaredBy && tenant !== defaultTenant) {
    return { configuration: `tenants[${tenant}].packs.${pack}` }
  }
  return {
    command: `toolcrib policy set pack:${pack} --on`,
    api: `PUT /api/v1/policies/pack/${pack}`,
  }
}

/** Gives a permission: to a member by role or in addition, to a key by its scopes. */
export function toPermissionChange(permission: string): Change {
  return {
    command: `toolcrib members change ID --permission ${permission} (a person), toolcrib keys create --scope ${permission} (a key)`,
  }
}

/** Sets the first missing secret. */
export function toSecretChange(name: string): Change {
  return { command: `toolcrib secrets set ${name}`, api: `PUT /api/v1/secrets/${name}` }
}

/** A person reviews the session and clears its flags, or the tool gets other labels. */
export function toFlowChange(tool: string): Change {
  return {
    command: `toolcrib labels clear SESSION (after a review), toolcrib labels set ${tool}`,
    api: 'DELETE /api/v1/session-flags/SESSION',
  }
}

const defaultTenant = 'default'

function agentKey({ tenant, slug }: AgentPlace): string {
  const agents = tenant === defaultTenant ? 'agents' : `tenants[${tenant}].agents`
  return `${agents}[${slug}]`
}
