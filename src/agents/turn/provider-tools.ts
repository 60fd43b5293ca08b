import type { ToolSet } from 'ai'
import { ToolError } from '../../core/errors.ts'
import type { AgentSettings, ChosenModel } from '../model-source.ts'

type ProviderTool = NonNullable<AgentSettings['providerTools']>[number]
type Factory = (args: Record<string, unknown>) => ToolSet[string]

/**
 * Adds the tools that the provider of the model runs itself. Nothing of ours decides about them or
 * records them as calls: they stand in the message as run by the provider. A name that a tool of
 * ours has stays with it; gives those that were left out for that.
 */
export async function addProviderTools(
  tools: ToolSet,
  agent: AgentSettings,
  chosen: Pick<ChosenModel, 'provider'>,
): Promise<string[]> {
  await assertProviderTools(agent, chosen)
  const leftOut: string[] = []
  for (const { tool, args } of agent.providerTools ?? []) {
    const { owner, name } = partsOf(tool)
    const factory = owner === chosen.provider && (await factoriesOf(owner))?.get(name)
    if (!factory) continue
    const wireName = toWireName(name)
    if (Object.hasOwn(tools, wireName)) leftOut.push(tool)
    else tools[wireName] = factory(args)
  }
  return leftOut
}

/** Throws for what this model can't be offered. What is of another provider waits for its models. */
export async function assertProviderTools(
  { slug, providerTools = [] }: Pick<AgentSettings, 'slug' | 'providerTools'>,
  { provider }: Pick<ChosenModel, 'provider'>,
): Promise<void> {
  for (const given of providerTools) {
    const { owner } = partsOf(given.tool)
    const problem = Object.hasOwn(loaders, owner) && owner !== provider ? '' : await lookAt(given)
    if (problem === '') continue
    throw new ToolError('invalid_config', problem, {
      fix: `Change providerTools of agent ${slug}.`,
    })
  }
}

/** What is wrong with the provider tools of an agent, whatever its model. */
export async function findProviderToolProblems({
  providerTools = [],
}: Pick<AgentSettings, 'providerTools'>): Promise<string[]> {
  const problems = await Promise.all(providerTools.map(lookAt))
  return problems.filter((problem) => problem !== '')
}

/** Without these the SDK fails in the middle of a chat, in words for programmers. */
const neededArgs: Readonly<Record<string, string>> = {
  'openai.file_search': 'vectorStoreIds',
  'openai.mcp': 'serverLabel',
  'google.file_search': 'fileSearchStoreNames',
  'google.vertex_rag_store': 'ragCorpus',
}

/** What is wrong with one, in words; empty when nothing is. */
async function lookAt({ tool, args }: ProviderTool): Promise<string> {
  const { owner, name } = partsOf(tool)
  const factories = await factoriesOf(owner)
  if (factories === undefined) {
    return `${tool}: only ${Object.keys(loaders).join(', ')} have tools of their own`
  }
  const made = factories.get(name)?.(args)
  if (made === undefined) return `${tool} is no tool of ${owner}`
  if (!('isProviderExecuted' in made) || made.isProviderExecuted !== true) {
    return `${tool} is not run by ${owner}: somebody here would have to, and nobody does`
  }
  const needed = neededArgs[`${owner}.${toWireName(name)}`]
  return needed === undefined || args[needed] !== undefined ? '' : `${tool} needs args.${needed}`
}

function partsOf(tool: string): { owner: string; name: string } {
  const [owner = '', name = ''] = tool.split('.')
  return { owner, name }
}

/** As the SDKs' own guides write it: `webSearch` is `web_search`. */
function toWireName(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
}

/** Loaded only by agents that have such tools. */
async function factoriesOf(owner: string): Promise<ReadonlyMap<string, Factory> | undefined> {
  const load = Object.hasOwn(loaders, owner) ? loaders[owner] : undefined
  if (load === undefined) return undefined
  const known = Object.entries(await load()) as [string, Factory][]
  return new Map(known.flatMap(([name, make]) => [[name, make] as const, [toWireName(name), make]]))
}

const loaders: Readonly<Record<string, () => Promise<object>>> = {
  openai: async () => (await import('@ai-sdk/openai')).openai.tools,
  anthropic: async () => (await import('@ai-sdk/anthropic')).anthropic.tools,
  google: async () => (await import('@ai-sdk/google')).google.tools,
}
