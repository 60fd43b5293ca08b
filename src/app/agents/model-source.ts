import { createModels } from '../../agents/models/create-models.ts'
import type { ModelSource } from '../../agents/model-source.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { agentSchema } from '../../core/rules/rule-schemas.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { Parts } from '../parts.ts'

/** Reads stored agents, and models with the keys of their users. */
export function createModelSource({
  config,
  store,
  views,
  env,
  host,
  onWarning,
}: Pick<Parts, 'config' | 'store' | 'views' | 'env' | 'host'> & {
  onWarning(message: string): void
}): ModelSource {
  const models = createModels({
    config: config.models,
    readSecrets: ({ tenant, agent }, names) => store.secrets.read({ tenant, agent }, names),
    env,
    homeTenant: defaultTenant,
    fetch: host.network.fetchFor({ key: 'models', trusted: addressesOf(config.models) }),
    onWarning,
  })
  return {
    async findAgent(tenant, slug) {
      const view = await views.find(tenant)
      const found = await view?.agent(slug)
      if (found === undefined) return undefined
      const spec = agentSchema.safeParse(found.agent.body)
      if (spec.success) return spec.data
      throw new ToolError('invalid_config', `The agent ${slug} is stored in an unknown format`)
    },
    async listAgents(tenant, query) {
      const page = await store.rules.page(tenant, 'agent', query)
      return { ...page, items: page.items.map(({ name }) => name) }
    },
    modelFor: (tenant, { model, slug }) => models.open(model, { tenant, agent: slug }),
    modelNamed: (tenant, name, agent) =>
      models.open(name ?? config.models.default ?? 'demo', {
        tenant,
        ...(agent !== undefined && { agent }),
      }),
  }
}

/** The servers that the configuration names: models often run in the operator's own network. */
function addressesOf(settings: unknown): URL[] {
  if (typeof settings !== 'object' || settings === null) return []
  return Object.entries(settings).flatMap(([name, value]) => {
    const isAddress = name === 'baseUrl' && typeof value === 'string' && URL.canParse(value)
    return isAddress ? [new URL(value)] : addressesOf(value)
  })
}
