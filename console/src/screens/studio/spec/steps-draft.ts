import type { JsonValue } from '../../../api/json.ts'
import { draftOf, listOf, textOf } from './spec-draft.ts'
import type { Draft } from './spec-draft.ts'

/** The steps of a composition as drafts. */
export function stepsOf(spec: Draft): readonly Draft[] {
  return listOf(spec['steps']).map(draftOf)
}

/** A step after the last one, with an id that is not taken. */
export function addStep(steps: readonly Draft[], tool = ''): Draft[] {
  const taken = new Set(steps.map((step) => textOf(step['id'])))
  const wanted = tool === '' ? 'step' : (tool.split(/[.:]/).at(-1) ?? 'step').replaceAll(/\W/g, '_')
  let id = taken.has(wanted) ? `${wanted}_2` : wanted
  for (let number = 3; taken.has(id); number += 1) id = `${wanted}_${number}`
  return [...steps, { id, tool, input: {} }]
}

export function moveStep(steps: readonly Draft[], index: number, by: -1 | 1): Draft[] {
  const moved = [...steps]
  const [step] = moved.splice(index, 1)
  if (step !== undefined) moved.splice(index + by, 0, step)
  return moved
}

/**
 * Another id for a step. Everything that refers to it follows: the order, and references in every
 * text of the composition.
 */
export function renameStep(spec: Draft, index: number, id: string): Draft {
  const steps = stepsOf(spec)
  const before = textOf(steps[index]?.['id'])
  const renamed = steps.map((step, at) => (at === index ? { ...step, id } : step))
  const next: Draft = { ...spec, steps: renamed }
  if (before === '' || steps.some((step, at) => at !== index && step['id'] === before)) return next
  return draftOf(renameIn(next, { from: before, to: id }))
}

interface Rename {
  from: string
  to: string
}

function renameIn(value: JsonValue, rename: Rename, key = ''): JsonValue {
  const { from, to } = rename
  if (typeof value === 'string') {
    if (key === 'after' && value === from) return to
    if (key === 'field') return value.replace(prefixOf(from, '^'), `steps.${to}`)
    return value.replaceAll(/\{\{[^{}]*\}\}/g, (text) =>
      text.replace(prefixOf(from, ''), `steps.${to}`),
    )
  }
  if (Array.isArray(value)) return value.map((item) => renameIn(item, rename, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      renameIn(member, rename, name === 'after' || name === 'field' ? name : ''),
    ]),
  )
}

function prefixOf(id: string, start: '^' | ''): RegExp {
  const word = id.replaceAll(/[^\w]/g, String.raw`\$&`)
  return new RegExp(`${start === '^' ? '^' : String.raw`(?<![\w.])`}steps\\.${word}(?![\\w-])`)
}

/** A step without an order of its own runs after the one before it in the list. */
export function beforeOf(steps: readonly Draft[], index: number): readonly string[] {
  const { after } = steps[index] ?? {}
  if (Array.isArray(after)) return after.filter((id) => typeof id === 'string')
  const before = textOf(steps[index - 1]?.['id'])
  return before === '' ? [] : [before]
}

/**
 * The lane of each step: steps that can run at the same time are side by side. A step takes the lane
 * of a step it waits for if it is the first to do so, else a free one.
 */
export function columnsOf(steps: readonly Draft[]): readonly number[] {
  const ends = new Map<string, number>()
  const continued = new Set<string>()
  const lanes: number[] = []
  for (const [index, step] of steps.entries()) {
    const from = beforeOf(steps, index).find((id) => ends.has(id) && !continued.has(id))
    const held = new Set([...ends].filter(([id]) => !continued.has(id)).map(([, lane]) => lane))
    let lane = from === undefined ? 0 : (ends.get(from) ?? 0)
    if (from === undefined) while (held.has(lane)) lane += 1
    for (const id of beforeOf(steps, index)) continued.add(id)
    ends.set(textOf(step['id']), lane)
    lanes.push(Math.min(lane, 3))
  }
  return lanes
}

/** The options of a step, in words. */
export function describeStep(step: Draft): string {
  const { when, each, repeat, retry, onError } = step
  const facts = [
    when !== undefined && 'only if a condition holds',
    each !== undefined && 'for each item of a list',
    repeat !== undefined && 'repeated until a condition holds',
    retry !== undefined && `retried ${Number(draftOf(retry)['times'] ?? 0)} times`,
    onError === 'continue' && 'errors are ignored',
    typeof onError === 'object' && onError !== null && 'a fixed output after an error',
  ]
  return facts.filter(Boolean).join(' · ')
}
