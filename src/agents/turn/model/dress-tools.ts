import type { ToolSet } from 'ai'
import type { ToolOffer } from '../../../core/offer/tool-offer.ts'
import { compileTool } from '../../../doors/sdk/compile-tool.ts'
import { flavourOf } from '../../../doors/sdk/flavour-of.ts'
import { isStrictByDefault } from '../../../doors/sdk/schemas/to-provider-schema.ts'
import type { ChosenModel } from '../../model-source.ts'

/** Tools as a model gets them. */
export interface DressedTools {
  tools: ToolSet
  /** Wire name → canonical name. */
  wireNames: Record<string, string>
}

/** The tools of an offer for this model. */
export function dressTools(
  offer: Pick<ToolOffer, 'tools'>,
  { provider, model }: Pick<ChosenModel, 'provider' | 'model'>,
): DressedTools {
  const flavour = provider.schemaFlavour ?? flavourOf(model)
  const dress = { flavour, strict: isStrictByDefault(flavour), media: provider.outputMedia }
  const tools: ToolSet = {}
  const wireNames: Record<string, string> = {}
  for (const tool of offer.tools) {
    // Without a function of its own the SDK leaves every call to us.
    const compiled = compileTool(tool, dress) as ToolSet[string]
    tools[tool.wireName] = provider.dressTool?.(compiled, tool) ?? compiled
    wireNames[tool.wireName] = tool.name
  }
  return { tools, wireNames }
}
