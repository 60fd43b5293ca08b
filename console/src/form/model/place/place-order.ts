import type { Issue } from '../../../api/problem.ts'
import type { DrawnPlace } from '../drawn.ts'
import { fieldsInOrder } from '../field-order.ts'
import type { FormModel } from '../form-model.ts'
import { stepsTo } from './steps-to.ts'

/** Issues in the order of their fields on the screen. */
export function inPlaceOrder(
  model: FormModel,
  issues: readonly Issue[],
  place: Omit<DrawnPlace, 'pointer'>,
): Issue[] {
  if (issues.length < 2 || issues.length > maxSorted) return [...issues]
  const ranks = new Map(issues.map(({ pointer }) => [pointer, rankOf(model, pointer, place)]))
  return issues.toSorted((a, b) => compare(ranks.get(a.pointer) ?? [], ranks.get(b.pointer) ?? []))
}

/** More than this are not read one by one. */
const maxSorted = 500

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, index) => rank !== b[index])
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1)
}

function rankOf(model: FormModel, pointer: string, place: Omit<DrawnPlace, 'pointer'>): number[] {
  return stepsTo(model, pointer, place).map(({ key, isItem, shape, pathOfShape }) =>
    isItem ? Number(key) : fieldsInOrder(model.spec, pathOfShape, shape).indexOf(key),
  )
}
