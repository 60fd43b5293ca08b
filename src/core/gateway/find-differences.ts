import type { JsonValue } from '../kernel/json.ts'
import { canonicalJson } from '../kernel/json/canonical-json.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import type { PinDifference } from './tool-pin.ts'

/** The most differences that are reported; a replaced tool needs no more. */
const maxDifferences = 50

/** Where two definitions differ. */
export function findDifferences(before: JsonValue, after: JsonValue): PinDifference[] {
  const found: PinDifference[] = []
  compare({ before, after, path: '' }, found)
  return found
}

interface Pair {
  before: JsonValue | undefined
  after: JsonValue | undefined
  path: string
}

function compare(pair: Pair, found: PinDifference[]): void {
  const { before, after, path } = pair
  if (found.length >= maxDifferences || isSame(before, after)) return
  const inner = pairsWithin(pair)
  if (inner !== undefined) return inner.forEach((one) => compare(one, found))
  found.push({
    path,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  })
}

/** Member by member, where both have members. Lists of different lengths differ as a whole. */
function pairsWithin({ before, after, path }: Pair): Pair[] | undefined {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.map((item, index) => ({
      before: item,
      after: after[index],
      path: `${path}/${index}`,
    }))
  }
  if (!isPlain(before) || !isPlain(after)) return undefined
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((key) => ({
    before: memberOf(before, key),
    after: memberOf(after, key),
    path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  }))
}

/** Its own alone: what a server calls a property may be a name that every object knows. */
function memberOf(value: Record<string, JsonValue>, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function isSame(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  return canonicalJson(before) === canonicalJson(after)
}

function isPlain(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return isRecord(value)
}
