import { cachePair } from '../kernel/identity-cache.ts'
import { layersByName } from './layers/layers.ts'
import type { LayerVerdict, PolicyTool, Scope } from './scope.ts'

/**
 * The tools this scope sees, in the given order. Cached by the identity of both: pass the same
 * array until a tool changes.
 */
export function visibleTools<T extends PolicyTool>(
  tools: readonly T[],
  scope: Scope,
): readonly T[] {
  // The cached list was filtered from this very array, so its elements are T.
  return cachedList(scope, tools) as readonly T[]
}

/** True when no layer hides the tool. */
export function isVisible(tool: PolicyTool, scope: Scope): boolean {
  return findStop(tool, scope) === undefined
}

/** The first layer that hides the tool, if one does. */
export function findStop(tool: PolicyTool, scope: Scope): LayerVerdict | undefined {
  for (const layer of orderedLayers) {
    const verdict = layer(tool, scope)
    if (!verdict.passes) return verdict
  }
  return undefined
}

/** The verdict of every layer, including those after the first that hides. */
export function judgeLayers(tool: PolicyTool, scope: Scope): LayerVerdict[] {
  return orderedLayers.map((layer) => layer(tool, scope))
}

const orderedLayers = Object.values(layersByName)

const cachedList = cachePair((scope: Scope, tools: readonly PolicyTool[]) =>
  Object.freeze(tools.filter((tool) => isVisible(tool, scope))),
)
