import type { Page } from '../core/kernel/page.ts'
import type { AgentSpec } from '../core/rules/rule-schemas.ts'
import type { ReadyModel } from './models/create-models.ts'

/** A model that is ready to be asked, and what is known of it. */
export type ChosenModel = ReadyModel

/** An agent as its turns need it. */
export type AgentSettings = Pick<
  AgentSpec,
  | 'slug'
  | 'model'
  | 'instructions'
  | 'maxSteps'
  | 'maxTurnTokens'
  | 'providerTools'
  | 'attachmentsToWorkspace'
> & { name?: string; description?: string }

/** Where turns get agents and their models from: stored rules, configuration and keys are behind it. */
export interface ModelSource {
  /** The current agent; undefined after its removal. Throws if it cannot be read. */
  findAgent(tenant: string, slug: string): Promise<AgentSettings | undefined>
  /** Their names, sorted. */
  listAgents(tenant: string, query: { after?: string; limit: number }): Promise<Page<string>>
  /** Throws a ToolError with the missing configuration. */
  modelFor(tenant: string, agent: AgentSettings): Promise<ChosenModel>
  /** A model by its name, with the keys of this agent or of the tenant. Default: the configured one. */
  modelNamed(
    tenant: string,
    name: string | undefined,
    agent: string | undefined,
  ): Promise<ChosenModel>
}
