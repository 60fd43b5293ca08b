import { toFreeWireName } from '../kernel/names.ts'
import type { OfferedTool, ToolOffer } from './tool-offer.ts'

/** Wire names that a conversation has used, with their tools. */
export type HeldNames = Readonly<Record<string, string>>

/**
 * An offer under the names that a conversation knows: a wire name it has used stays with its tool,
 * even while that tool is missing, and a later tool that would take it gets another.
 */
export function holdNames(offer: ToolOffer, held: HeldNames): ToolOffer {
  const byWire = new Map(Object.entries(held))
  if (byWire.size === 0) return offer
  const isAsUsual = (tool: OfferedTool) => (byWire.get(tool.wireName) ?? tool.name) === tool.name
  const wireOf = new Map([...byWire].map(([wire, name]) => [name, wire]))
  const keeps = (tool: OfferedTool) => (wireOf.get(tool.name) ?? tool.wireName) === tool.wireName
  if (offer.tools.every((tool) => isAsUsual(tool) && keeps(tool)) && offer.mode === 'list') {
    return offer
  }
  const given = new Set([...byWire.keys(), ...offer.tools.map(({ wireName }) => wireName)])
  const renamed = new Map<string, OfferedTool>()
  const rename = (tool: OfferedTool): OfferedTool => {
    const known = renamed.get(tool.name)
    if (known !== undefined) return known
    const usual = isAsUsual(tool) ? tool.wireName : undefined
    const wireName =
      wireOf.get(tool.name) ??
      usual ??
      toFreeWireName(tool.name, tool.wireName, (wire) => given.has(wire))
    given.add(wireName)
    const made = wireName === tool.wireName ? tool : { ...tool, wireName }
    renamed.set(tool.name, made)
    return made
  }
  const tools = offer.tools.map(rename)
  const byName = new Map(tools.map((tool) => [tool.wireName, tool]))
  return {
    tools,
    mode: offer.mode,
    find(name) {
      const listed = byName.get(name)
      if (listed !== undefined) return listed
      const tool = offer.find(byWire.get(name) ?? name)
      return tool && rename(tool)
    },
  }
}
