import type { CompositionPlan } from './plan-of.ts'

/** Steps that wait for each other, each circle once: `a` waits for the next, the last for `a`. */
export function findCircles(plan: CompositionPlan): string[][] {
  const done = new Set<string>()
  const circles: string[][] = []
  const visit = (id: string, above: readonly string[]): void => {
    const at = above.indexOf(id)
    if (at >= 0) return void circles.push(above.slice(at))
    if (done.has(id)) return
    for (const next of plan.get(id) ?? []) visit(next, [...above, id])
    done.add(id)
  }
  for (const id of plan.keys()) visit(id, [])
  return circles
}
