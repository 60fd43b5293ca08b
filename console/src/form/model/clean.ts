import type { JsonValue } from '../../api/json.ts'
import { schemaOfItem, schemaOfKey } from './concrete.ts'
import { drawnAt, noPicks } from './drawn.ts'
import type { Drawn, DrawnPlace } from './drawn.ts'
import { beginning, fillObject } from './defaults.ts'
import type { FormModel } from './form-model.ts'
import { isSecret, kindOf } from './kinds.ts'
import { isUploadUri } from './upload-uri.ts'
import { childOf, childPointer, pointerParts } from './pointer.ts'
import type { Maybe } from './pointer.ts'
import { isRecord, schemaEntries, schemasOf } from './schema.ts'
import type { Schema, SchemaObject } from './schema.ts'

/**
 * The part of an input that may be kept on this device or copied from an earlier call: no secrets, and only
 * files that the server keeps.
 */
export function withoutSecrets(model: FormModel, value: JsonValue): JsonValue {
  return (
    createWalk(model, (drawn, held) => {
      const kind = kindOf(model, drawn, '')
      if (kind === 'file' || kind === 'files') return [held].flat().some(isUploadUri)
      return !isSecret(drawn.schema) && kind !== 'secret'
    })(model.root, { value, pointer: '', picks: noPicks }) ?? {}
  )
}

/**
 * The input to send: without fields of options and conditions that no longer apply. Other unknown keys
 * stay, so that a mistyped key is reported and not lost.
 */
export function toInput(model: FormModel, place: DrawnPlace): JsonValue {
  const { value } = place
  if (model.problem !== undefined) return value ?? {}
  return createWalk(model, () => true)(model.root, place) ?? {}
}

type Keep = (drawn: Drawn, value: Maybe) => boolean

/** Copies a value, without what is not kept; the same value where all of it is. */
function createWalk(model: FormModel, keep: Keep) {
  return function walk(schema: Schema, place: DrawnPlace): Maybe {
    const { value, pointer } = place
    if (value === undefined) return undefined
    const drawn = drawnAt(model, schema, place)
    if (!keep(drawn, value)) return undefined
    const child = (inner: Schema, key: string | number, held: Maybe) =>
      walk(inner, { ...place, value: held, pointer: childPointer(pointer, key) })
    if (Array.isArray(value)) {
      const items = value.map((held, at) => child(schemaOfItem(drawn.schema, at), at, held))
      const isSame = items.every((item, at) => item === value[at])
      return isSame ? value : items.filter((item) => item !== undefined)
    }
    if (!isRecord(value)) return value
    const stale = staleKeys(model, schema, drawn)
    const kept = Object.entries(value).flatMap(([key, held]): [string, JsonValue][] => {
      const next = stale.has(key) ? undefined : child(schemaOfKey(drawn.schema, key), key, held)
      return next === undefined ? [] : [[key, next]]
    })
    const isSame =
      kept.length === Object.keys(value).length && kept.every(([key, next]) => value[key] === next)
    return isSame ? value : Object.fromEntries(kept)
  }
}

/** Properties of options that are not chosen and of conditions that do not hold. */
function staleKeys(model: FormModel, schema: Schema, drawn: Drawn): Set<string> {
  const stale = new Set<string>()
  if (drawn.pickers.length === 0 && !drawn.isConditional) return stale
  const waiting: Schema[] = [schema]
  const seen = new Set<Schema>()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isRecord(next) || seen.has(next) || seen.size > 200) continue
    seen.add(next)
    for (const [key] of schemaEntries(next['properties'])) stale.add(key)
    waiting.push(...alternatives(model, next))
  }
  for (const [key] of schemaEntries(drawn.schema['properties'])) stale.delete(key)
  return stale
}

/** Everything that may apply at the same place. */
function alternatives(model: FormModel, schema: SchemaObject): Schema[] {
  const { $ref, then, else: otherwise, dependentSchemas } = schema
  const target = typeof $ref === 'string' ? model.find($ref) : undefined
  return [
    ...schemasOf([target, then, otherwise]),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schemasOf(schema[keyword])),
    ...schemaEntries(dependentSchemas).map(([, needed]) => needed),
  ]
}

/** Fields that have come up because of a change begin with their defaults. */
export function settle(
  model: FormModel,
  {
    before,
    after,
    pointer,
    picks,
  }: { before: Maybe; after: Maybe; pointer: string } & Pick<DrawnPlace, 'picks'>,
): Maybe {
  const settled = settleAt(model, model.root, { before, after, picks, pointer: '' })
  // Most forms have no conditions: then nothing was looked at below the root.
  return pointer === '' ? after : settled(pointerParts(pointer))
}

interface Settling {
  before: Maybe
  after: Maybe
  pointer: string
  picks: DrawnPlace['picks']
}

function settleAt(model: FormModel, schema: Schema, change: Settling) {
  return (parts: readonly string[]): Maybe => {
    const { before, after, pointer, picks } = change
    const [head, ...rest] = parts
    if (head === undefined || (!isRecord(after) && !Array.isArray(after))) return after
    const drawn = drawnAt(model, schema, { value: after, pointer, picks })
    const inner = Array.isArray(after)
      ? schemaOfItem(drawn.schema, Number(head))
      : schemaOfKey(drawn.schema, head)
    const child = settleAt(model, inner, {
      picks,
      pointer: childPointer(pointer, head),
      before: childOf(before, head),
      after: childOf(after, head),
    })(rest)
    const settled = withChild(after, head, child)
    if (!drawn.isConditional || !isRecord(settled)) return settled
    return fillNew(model, { schema, drawn }, { ...change, after: settled })
  }
}

function withChild(value: Maybe, key: string, child: Maybe): Maybe {
  if (child === childOf(value, key) || child === undefined) return value
  if (Array.isArray(value)) return value.with(Number(key), child)
  return { ...(isRecord(value) ? value : {}), [key]: child }
}

function fillNew(
  model: FormModel,
  { schema, drawn }: { schema: Schema; drawn: Drawn },
  { before, after, pointer, picks }: Settling,
): Maybe {
  const old = drawnAt(model, schema, { value: before, pointer, picks })
  const known = new Set(schemaEntries(old.schema['properties']).map(([key]) => key))
  const fresh = schemaEntries(drawn.schema['properties']).filter(([key]) => !known.has(key))
  if (fresh.length === 0 || after === undefined) return after
  const added = { ...drawn, schema: { ...drawn.schema, properties: Object.fromEntries(fresh) } }
  return fillObject(model, added, { given: after, ...beginning(pointer, picks) })
}
