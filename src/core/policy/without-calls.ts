import { toPermissionChange } from './changes.ts'
import { hide } from './layers/verdicts.ts'
import type { Explanation } from './scope.ts'

/**
 * The explanation for a caller without `tools.call`: nothing is usable. Every door checks it before
 * any layer, so explain reports it in the permission layer.
 */
export function withoutCalls(explanation: Explanation, why: string): Explanation {
  const { tool, labels } = explanation
  const layers = explanation.layers.map((verdict) =>
    verdict.layer === 'permission' ? noCalls(why) : verdict,
  )
  const stops = layers.filter(({ passes }) => !passes)
  return {
    tool,
    visible: false,
    verdict: 'deny',
    stoppedBy: stops[0]?.layer ?? 'permission',
    reasons: stops.map(({ reason }) => reason),
    layers,
    ...(labels !== undefined && { labels }),
  }
}

function noCalls(why: string) {
  return hide('permission', why, {
    fix: 'give the caller permission tools.call',
    change: toPermissionChange('tools.call'),
  })
}
