import type { LayerVerdict, PolicyTool, Scope } from '../scope.ts'

/** One layer: a tool and a scope in, pass or hide with a reason out. Pure. */
export type Layer = (tool: PolicyTool, scope: Scope) => LayerVerdict

/** The tool may be seen as far as this layer goes; `setBy` says whose word that is, where it is somebody's. */
export function pass(layer: string, reason: string, setBy?: string): LayerVerdict {
  return setBy === undefined
    ? { layer, passes: true, reason }
    : { layer, passes: true, reason, setBy }
}

/** The tool is hidden; `more` says by whom and what would change that, where something would. */
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
