import type { LayerVerdict, PolicyTool, Scope } from '../scope.ts'

/** One layer: takes a tool and a scope, and passes or hides the tool with a reason. Pure. */
export type Layer = (tool: PolicyTool, scope: Scope) => LayerVerdict

/** This layer lets the tool through; `setBy` names the author of the rule, if there is one. */
export function pass(layer: string, reason: string, setBy?: string): LayerVerdict {
  return setBy === undefined
    ? { layer, passes: true, reason }
    : { layer, passes: true, reason, setBy }
}

/**
 * The tool is hidden; `more` names the author of the rule and the change that would lift it, if
 * any.
 */
export function hide(
  layer: string,
  reason: string,
  more: Pick<LayerVerdict, 'setBy' | 'fix' | 'change'> = {},
): LayerVerdict {
  const { setBy, fix, change } = more
  return {
    layer,
    passes: false,
    reason,
    ...(setBy !== undefined && { setBy }),
    ...(fix !== undefined && { fix }),
    ...(change !== undefined && { change }),
  }
}
