import { createHash } from 'node:crypto'
import type { PinDifference } from '../../core/gateway/tool-pin.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { canonicalJson } from '../../core/kernel/json/canonical-json.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { JsonRecord } from '../wire/messages.ts'

/** The same for definitions that differ in the order of keys alone. */
export function hashDefinition(definition: JsonRecord): string {
  return createHash('sha256').update(canonicalJson(definition)).digest('hex')
}

/** The hash as it was before `_meta` was included. */
export function hashWithoutMeta(definition: JsonRecord): string {
  const { _meta, ...rest } = definition
  return hashDefinition(rest)
}

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
function memberOf(value: JsonRecord, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function isSame(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  return canonicalJson(before) === canonicalJson(after)
}

function isPlain(value: JsonValue | undefined): value is JsonRecord {
  return isRecord(value)
}
