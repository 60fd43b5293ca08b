import type { Issue } from '../../errors.ts'
import { pointerStep } from './json-pointer.ts'
import { toValuePhrase } from './json-type.ts'

/**
 * How deep a value may nest. Recursive schemas make validators recurse as deep as the value; 128
 * levels need a small part of the stack, and no form or model comes near.
 */
export const maxValueDepth = 128

/** How many values one value may hold; only shared references in memory get near it. */
const maxValueCount = 1_000_000

/**
 * The first thing about a value that is not plain, bounded JSON; undefined when all of it is.
 * Keys whose value is `undefined` count as absent. A cycle ends at the depth limit.
 */
export function checkJson(value: unknown, maxDepth: number = maxValueDepth): Issue | undefined {
  return checkNode(value, { path: '', depth: 0 }, { left: maxValueCount, maxDepth })
}

/** What is wrong with a key that code copying the value key by key would take for the prototype. */
export const protoKeyMessage = 'must not have a key named __proto__'

interface Place {
  path: string
  depth: number
}

interface Budget {
  left: number
  readonly maxDepth: number
}

function checkNode(value: unknown, place: Place, budget: Budget): Issue | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return undefined
  if (typeof value !== 'object') {
    return { path: place.path, message: `must be a JSON value, got ${toValuePhrase(value)}` }
  }
  if (place.depth >= budget.maxDepth) {
    return {
      path: place.path,
      message: `is nested deeper than ${budget.maxDepth} levels, or holds itself`,
    }
  }
  return Array.isArray(value) ? checkArray(value, place, budget) : checkObject(value, place, budget)
}

function checkArray(list: readonly unknown[], place: Place, budget: Budget): Issue | undefined {
  if (overspends(list.length, budget)) return tooMany(place)
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index]
    if (isPlainScalar(item)) continue
    const issue = checkNode(item, below(place, index), budget)
    if (issue) return issue
  }
  return undefined
}

function checkObject(value: object, place: Place, budget: Budget): Issue | undefined {
  if (!isPlain(value)) {
    const name = value.constructor?.name ?? 'object'
    return { path: place.path, message: `must be a JSON value, got an instance of ${name}` }
  }
  const keys = Object.keys(value)
  if (overspends(keys.length, budget)) return tooMany(place)
  for (const key of keys) {
    if (key === '__proto__') return { path: place.path, message: protoKeyMessage }
    const item = (value as Record<string, unknown>)[key]
    if (item === undefined || isPlainScalar(item)) continue
    const issue = checkNode(item, below(place, key), budget)
    if (issue) return issue
  }
  return undefined
}

/** Saves a call and a path for most of what there is. */
function isPlainScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || value === null
}

/** A root prototype or none: an object literal of any realm, but no Date, Map or class. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function below(place: Place, key: string | number): Place {
  return { path: pointerStep(place.path, key), depth: place.depth + 1 }
}

function overspends(count: number, budget: Budget): boolean {
  budget.left -= count
  return budget.left < 0
}

function tooMany(place: Place): Issue {
  return { path: place.path, message: `holds more than ${maxValueCount} values` }
}
