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
  onWarning,
}: Pick<Parts, 'config' | 'store' | 'views' | 'env'> & {
  onWarning(message: string): void
}): ModelSource {
  const models = createModels({
    config: config.models,
    readSecrets: ({ tenant, agent }, names) => store.secrets.read({ tenant, agent }, names),
    env,
    homeTenant: defaultTenant,
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
  }
}
