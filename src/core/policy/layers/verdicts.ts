import type { LayerName, LayerVerdict, PolicyTool, Scope } from '../scope.ts'

/** One layer: a tool and a scope in, pass or hide with a reason out. Pure. */
export type Layer = (tool: PolicyTool, scope: Scope) => LayerVerdict

/** The tool may be seen as far as this layer goes. */
export function pass(layer: LayerName, reason: string): LayerVerdict {
  return { layer, passes: true, reason }
}

/** The tool is hidden; `fix` says what would change that, where something would. */
export function hide(layer: LayerName, reason: string, fix?: string): LayerVerdict {
  return fix === undefined
    ? { layer, passes: false, reason }
    : { layer, passes: false, reason, fix }
}
