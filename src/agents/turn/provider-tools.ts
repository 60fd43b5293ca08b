import type { ToolSet } from 'ai'
import { ToolError } from '../../core/errors.ts'
import type { AgentSettings, ChosenModel } from '../model-source.ts'

type Factory = (args: Record<string, unknown>) => ToolSet[string]

/**
 * Adds the tools that the provider of the model runs itself. Nothing of ours decides about them or
 * records them as calls: they stand in the message as run by the provider.
 */
export async function addProviderTools(
  tools: ToolSet,
  { slug, providerTools = [] }: AgentSettings,
  { provider }: Pick<ChosenModel, 'provider'>,
): Promise<void> {
  for (const { tool, args } of providerTools) {
    const [owner = '', name = ''] = tool.split('.')
    if (owner !== provider) continue
    const factory = (await factoriesOf(owner))?.[name]
    if (factory === undefined) {
      throw new ToolError('invalid_config', `${tool} is no tool of ${owner}`, {
        fix: `Change providerTools of agent ${slug}.`,
      })
    }
    tools[toWireName(name)] = factory(args)
  }
}

/** As the SDKs' own guides write it: `webSearch` is `web_search`. */
function toWireName(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
}

/** Loaded only by agents that have such tools. */
async function factoriesOf(
  owner: string,
): Promise<Record<string, Factory | undefined> | undefined> {
  const tools = await loaders[owner]?.()
  if (tools === undefined) return undefined
  const known: Record<string, Factory> = {}
  for (const [name, make] of Object.entries(tools)) {
    known[name] = make as Factory
    known[toWireName(name)] = make as Factory
  }
  return known
}

const loaders: Readonly<Record<string, () => Promise<object>>> = {
  openai: async () => (await import('@ai-sdk/openai')).openai.tools,
  anthropic: async () => (await import('@ai-sdk/anthropic')).anthropic.tools,
  google: async () => (await import('@ai-sdk/google')).google.tools,
}
