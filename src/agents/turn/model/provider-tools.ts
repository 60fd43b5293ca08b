import type { ToolSet } from 'ai'
import { ToolError } from '../../../core/kernel/errors.ts'
import { ownValue } from '../../../core/kernel/json/json-type.ts'
import type { AgentSettings, ChosenModel } from '../../model-source.ts'
import type { Provider } from '../../models/provider.ts'
import { providers } from '../../models/providers.ts'

type ProviderTool = NonNullable<AgentSettings['providerTools']>[number]
type Factory = (args: Record<string, unknown>) => ToolSet[string]

/**
 * Adds the tools that the model's provider runs itself. No policy applies to them and they are not
 * recorded as calls: the message marks them as run by the provider. Where a tool of ours has the same
 * name, the provider's is omitted; returns those.
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
    const { provider } = chosen
    const factory = owner === provider.id && (await factoriesOf(provider)).get(name)
    if (!factory) continue
    const wireName = toWireName(name)
    if (Object.hasOwn(tools, wireName)) leftOut.push(tool)
    else tools[wireName] = factory(args)
  }
  return leftOut
}

/** Throws for a tool that this model can't have. Tools of other providers are ignored. */
export async function assertProviderTools(
  { slug, providerTools = [] }: Pick<AgentSettings, 'slug' | 'providerTools'>,
  { provider }: Pick<ChosenModel, 'provider'>,
): Promise<void> {
  for (const given of providerTools) {
    const { owner } = partsOf(given.tool)
    const isElsewhere = owner !== provider.id && ownerOf(owner) !== undefined
    const problem = isElsewhere ? '' : await findProblem(given)
    if (problem === '') continue
    throw new ToolError('invalid_config', problem, {
      fix: `Change providerTools of agent ${slug}.`,
    })
  }
}

/** The faults in the provider tools of an agent, whatever its model. */
export async function findProviderToolProblems({
  providerTools = [],
}: Pick<AgentSettings, 'providerTools'>): Promise<string[]> {
  const problems = await Promise.all(providerTools.map(findProblem))
  return problems.filter((problem) => problem !== '')
}

/** The fault of one tool, in words; empty if there is none. */
async function findProblem({ tool, args }: ProviderTool): Promise<string> {
  const { owner, name } = partsOf(tool)
  const provider = ownerOf(owner)
  if (provider === undefined) {
    const owners = providers.filter(({ tools }) => tools !== undefined).map(({ id }) => id)
    return `${tool}: only ${owners.join(', ')} have tools of their own`
  }
  const made = (await factoriesOf(provider)).get(name)?.(args)
  if (made === undefined) return `${tool} is not a tool of ${owner}`
  if (!('isProviderExecuted' in made) || made.isProviderExecuted !== true) {
    return `${tool} is not run by ${owner}, and Toolcrib can't run it`
  }
  const required = ownValue(provider.tools?.requiredArgs ?? {}, toWireName(name))
  return required === undefined || args[required] !== undefined
    ? ''
    : `${tool} needs args.${required}`
}

function partsOf(tool: string): { owner: string; name: string } {
  const [owner = '', name = ''] = tool.split('.')
  return { owner, name }
}

/** As the SDKs' own guides write it: `webSearch` is `web_search`. */
function toWireName(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
}

/** Loaded only for agents that have such tools. */
async function factoriesOf(owner: Provider | undefined): Promise<ReadonlyMap<string, Factory>> {
  const known = Object.entries((await owner?.tools?.load()) ?? {}) as [string, Factory][]
  return new Map(known.flatMap(([name, make]) => [[name, make] as const, [toWireName(name), make]]))
}

function ownerOf(id: string): Provider | undefined {
  return providers.find((provider) => provider.id === id && provider.tools !== undefined)
}
