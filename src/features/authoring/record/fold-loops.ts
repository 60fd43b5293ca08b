import { isDeepEqual } from '../../../core/kernel/json/deep-equal.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { referencesIn } from '../../../core/shapes/references-in.ts'
import type { LinkedStep } from './recorded-work.ts'

/** Steps of one tool, one for each item of a list, as one step. */
export interface FoldedStep {
  members: readonly LinkedStep[]
  /** The path of the list; absent for a step of its own. */
  each?: string
  input: { [key: string]: JsonValue }
}

/**
 * Finds loops: neighbouring steps of one tool whose inputs differ only in the item of a list that
 * they read, from the first to the last. References to them name their place in its output.
 */
export function foldLoops(
  steps: readonly LinkedStep[],
  lengthOf: (path: string) => number | undefined,
): FoldedStep[] {
  const folded: FoldedStep[] = []
  for (let at = 0; at < steps.length;) {
    const loop = findLoop(steps, at, lengthOf) ?? single(steps, at)
    folded.push(loop)
    at += loop.members.length
  }
  return folded.map((one) => ({
    ...one,
    input: renameAll(one.input, folded) as FoldedStep['input'],
  }))
}

function single(steps: readonly LinkedStep[], at: number): FoldedStep {
  const members = steps.slice(at, at + 1)
  return { members, input: members[0]?.input ?? {} }
}

/** References to a member of a loop, as references to an item of its output. */
export function renameAll(value: JsonValue, folded: readonly FoldedStep[]): JsonValue {
  const loops = folded.filter(({ each }) => each !== undefined)
  const rename = (text: string) =>
    loops.reduce((renamed, { members }) => {
      const [first] = members
      return members.reduce((all, { step }, index) => {
        const to = `{{steps.${first?.step.id ?? ''}.output[${index}]`
        return replacePath(all, `steps.${step.id}.output`, to)
      }, renamed)
    }, text)
  return mapTexts(value, rename)
}

function findLoop(
  steps: readonly LinkedStep[],
  at: number,
  lengthOf: (path: string) => number | undefined,
): FoldedStep | undefined {
  const first = steps[at]
  if (first === undefined) return undefined
  for (const each of listsIn(first.input)) {
    const length = lengthOf(each)
    if (length === undefined || length < 2) continue
    const members = steps.slice(at, at + length)
    const inputs = members.map(({ input }, index) => toItem(input, `${each}[${index}]`))
    const [input] = inputs
    if (members.length < length || input === undefined) continue
    const isLoop = members.every(
      ({ step }, index) =>
        step.tool === first.step.tool &&
        step.retries === first.step.retries &&
        isDeepEqual(inputs[index], input),
    )
    if (isLoop && hasItem(input)) return { members, each, input: input as FoldedStep['input'] }
  }
  return undefined
}

/** The lists of whose first item something is read. */
function listsIn(input: JsonValue): string[] {
  const paths = referencesIn(input).map(({ path }) => path)
  const lists = paths.flatMap((path) =>
    [...path.matchAll(/\[0\]/g)].map(({ index }) => path.slice(0, index)),
  )
  return [...new Set(lists)]
}

function hasItem(input: JsonValue): boolean {
  return referencesIn(input).some(({ root }) => root === 'item')
}

function toItem(input: JsonValue, path: string): JsonValue {
  return mapTexts(input, (text) => replacePath(text, path, '{{item'))
}

/** Replaces the beginning of references, up to the end of a key. */
function replacePath(text: string, path: string, to: string): string {
  const from = `{{${path}`
  return text
    .split(from)
    .map((part, index) => {
      if (index === 0) return part
      return /^[.[}]/.test(part) ? `${to}${part}` : `${from}${part}`
    })
    .join('')
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return value.includes('{{') ? change(value) : value
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, member]) => [key, mapTexts(member, change)])
  return Object.fromEntries(entries) as JsonValue
}
