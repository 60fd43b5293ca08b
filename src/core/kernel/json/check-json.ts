import type { Issue } from '../errors.ts'
import { pointerStep } from './json-pointer.ts'
import { toValuePhrase } from './json-type.ts'

/**
 * How deep a value may nest. Recursive schemas make validators recurse as deep as the value; 128
 * levels need a small part of the stack, and no form or model comes near it.
 */
export const maxValueDepth = 128

/** How many values one value may hold; only shared references in memory come near it. */
const maxValueCount = 1_000_000

/**
 * The first problem with a value that is not plain, bounded JSON; undefined if there is none. Keys
 * whose value is `undefined` count as absent. A cycle ends at the depth limit.
 */
export function checkJson(value: unknown, maxDepth: number = maxValueDepth): Issue | undefined {
  return checkNode(value, 0, { left: maxValueCount, maxDepth })
}

/** The message for a key that code copying the value key by key would treat as the prototype. */
export const protoKeyMessage = 'must not have a key named __proto__'

interface Budget {
  left: number
  readonly maxDepth: number
}

/** The path is built while unwinding, and only for a problem: most values are valid. */
function checkNode(value: unknown, depth: number, budget: Budget): Issue | undefined {
  if (isPlainScalar(value)) return undefined
  if (typeof value !== 'object' || value === null) {
    return { path: '', message: `must be a JSON value, got ${toValuePhrase(value)}` }
  }
  if (depth >= budget.maxDepth) {
    return {
      path: '',
      message: `is nested deeper than ${budget.maxDepth} levels, or contains itself`,
    }
  }
  return Array.isArray(value) ? checkArray(value, depth, budget) : checkObject(value, depth, budget)
}

function checkArray(list: readonly unknown[], depth: number, budget: Budget): Issue | undefined {
  if (overspends(list.length, budget)) return tooMany()
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index]
    if (isPlainScalar(item)) continue
    const issue = checkNode(item, depth + 1, budget)
    if (issue) return under(index, issue)
  }
  return undefined
}

function checkObject(value: object, depth: number, budget: Budget): Issue | undefined {
  if (!isPlain(value)) {
    const name = value.constructor?.name ?? 'object'
    return { path: '', message: `must be a JSON value, got an instance of ${name}` }
  }
  const keys = Object.keys(value)
  if (overspends(keys.length, budget)) return tooMany()
  for (const key of keys) {
    if (key === '__proto__') return { path: '', message: protoKeyMessage }
    const item = (value as Record<string, unknown>)[key]
    if (item === undefined || isPlainScalar(item)) continue
    const issue = checkNode(item, depth + 1, budget)
    if (issue) return under(key, issue)
  }
  return undefined
}

/** Saves a function call for most values. */
function isPlainScalar(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    value === null ||
    (typeof value === 'number' && Number.isFinite(value))
  )
}

/**
 * True for a prototype of Object or null: an object literal of any realm, but not a Date, Map or
 * class.
 */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function under(key: string | number, { path, message }: Issue): Issue {
  return { path: `${pointerStep('', key)}${path}`, message }
}

function overspends(count: number, budget: Budget): boolean {
  budget.left -= count
  return budget.left < 0
}

function tooMany(): Issue {
  return { path: '', message: `holds more than ${maxValueCount} values` }
}
