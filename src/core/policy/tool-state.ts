import type { ToolState } from '../tools/tool-listing.ts'
import type { PolicyTool, Scope } from './scope.ts'
import { findStop } from './visible-tools.ts'

/** The state of a tool for a caller who could fix it, with the reason and the fix. */
export interface ToolStanding {
  state: ToolState
  reason?: string
  fix?: string
}

/**
 * `ready` when the scope sees the tool; `misconfigured` or `quarantined` when only its needs or its
 * health hide it; undefined when it is hidden for another reason and must not be shown.
 */
export function findToolState(tool: PolicyTool, scope: Scope): ToolStanding | undefined {
  const stop = findStop(tool, scope)
  if (stop === undefined) return { state: 'ready' }
  if (stop.layer !== 'needs' && stop.layer !== 'health') return undefined
  const state = stop.layer === 'needs' ? 'misconfigured' : 'quarantined'
  return { state, reason: stop.reason, ...(stop.fix !== undefined && { fix: stop.fix }) }
}
