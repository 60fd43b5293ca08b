import type { Api } from '../api/client.ts'
import type { JsonValue } from '../api/json.ts'
import { schemaOfItem, schemaOfKey } from '../form/model/concrete.ts'
import { drawnAt, noPicks } from '../form/model/drawn.ts'
import { createModel } from '../form/model/form-model.ts'
import type { FormModel } from '../form/model/form-model.ts'
import { fieldsInOrder, inOrder } from '../form/model/field-order.ts'
import { childPath, fieldSpec } from '../form/model/form-spec.ts'
import { choicesOf, toLabel, toSingular } from '../form/model/labels/labels.ts'
import { childOf, childPointer, pointerParts } from '../form/model/pointer.ts'
import { isRecord, textOf } from '../form/model/schema.ts'
import type { Schema, SchemaObject } from '../form/model/schema.ts'
import { toSafeLine } from '../output/values/safe-text.ts'
import { entityTypeOf } from '../form/entities/entity-type.ts'
import type { EntityId } from '../form/entities/entity-type.ts'

/** An input as people read it: by its schema, without anything to fill in. */
export type InputNode =
  | { kind: 'text'; text: string }
  | ({ kind: 'entity' } & EntityId)
  | { kind: 'items'; items: readonly InputNode[] }
  | { kind: 'fields'; rows: readonly InputRow[]; unset: readonly string[] }
  | { kind: 'json'; value: JsonValue }

export interface InputRow {
  key: string
  label: string
  node: InputNode
}

type Described = Pick<Api<'ToolDetail'>, 'inputSchema' | 'form'>

const models = new WeakMap<Described, FormModel>()

/** The schema of a tool, prepared once; without a tool, an empty one. */
export function modelOf(tool: Described | undefined): FormModel {
  if (tool === undefined) return unknown
  let model = models.get(tool)
  if (model === undefined) models.set(tool, (model = createModel(tool.inputSchema, tool.form)))
  return model
}

const unknown = createModel({})

/** Everything in the value, in the order of the form; null values are only named. */
export function toInputTree(model: FormModel, value: JsonValue): InputNode {
  return toNode(model, { schema: model.root, pointer: '', path: '', depth: 0 }, value)
}

interface Place {
  schema: Schema
  pointer: string
  path: string
  depth: number
}

const deepest = 6
const mostItems = 200

function toNode(model: FormModel, place: Place, value: JsonValue): InputNode {
  const { schema } = drawnAt(model, place.schema, { value, pointer: place.pointer, picks: noPicks })
  const entity = entityTypeOf(schema)
  if (entity !== undefined && (typeof value === 'string' || typeof value === 'number')) {
    return { kind: 'entity', entity, id: value }
  }
  if (typeof value !== 'object' || value === null) return { kind: 'text', text: say(schema, value) }
  if (place.depth >= deepest) return { kind: 'json', value }
  return Array.isArray(value)
    ? toItems(model, { ...place, schema }, value)
    : toFields(model, { ...place, schema }, value)
}

function say(schema: SchemaObject, value: Exclude<JsonValue, object>): string {
  if (value === null) return 'Not set'
  const key = JSON.stringify(value)
  const choice = choicesOf(schema).find((one) => one.key === key)
  if (choice !== undefined) return choice.label
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return value === '' ? '(empty)' : String(value)
}

type InnerPlace = Place & { schema: SchemaObject }

function toItems(model: FormModel, place: InnerPlace, items: readonly JsonValue[]): InputNode {
  if (items.length === 0) return { kind: 'text', text: 'None' }
  if (items.length > mostItems) return { kind: 'json', value: [...items] }
  return {
    kind: 'items',
    items: items.map((item, index) =>
      toNode(
        model,
        {
          schema: schemaOfItem(place.schema, index),
          pointer: childPointer(place.pointer, index),
          path: `${place.path}[]`,
          depth: place.depth + 1,
        },
        item,
      ),
    ),
  }
}

function toFields(
  model: FormModel,
  place: InnerPlace,
  value: { [key: string]: JsonValue },
): InputNode {
  const there = new Map(Object.entries(value))
  const keys = inOrder([...there.keys()], fieldsInOrder(model.spec, place.path, place.schema))
  const rows: InputRow[] = []
  const unset: string[] = []
  for (const key of keys) {
    const inner = there.get(key)
    const at = placeOfKey(place, key)
    const label = labelOf(model, at, key)
    if (inner === undefined || inner === null) unset.push(label)
    else rows.push({ key, label, node: toNode(model, at, inner) })
  }
  if (rows.length === 0 && unset.length === 0) return { kind: 'text', text: 'Nothing' }
  return { kind: 'fields', rows, unset }
}

function placeOfKey({ schema, pointer, path, depth }: InnerPlace, key: string): Place {
  return {
    schema: schemaOfKey(schema, key),
    pointer: childPointer(pointer, key),
    path: childPath(path, key),
    depth: depth + 1,
  }
}

function labelOf(model: FormModel, { schema, pointer, path }: Place, key: string): string {
  const drawn = drawnAt(model, schema, { value: undefined, pointer, picks: noPicks })
  return fieldSpec(model.spec, path).label ?? textOf(drawn.schema['title']) ?? toLabel(key)
}

/** The name of a place in an input, `Lines › Line 2 › Amount`, and its schema. */
export function describePlace(
  model: FormModel,
  root: JsonValue,
  pointer: string,
): { label: string; schema: SchemaObject } {
  let at: Place = { schema: model.root, pointer: '', path: '', depth: 0 }
  let value: JsonValue | undefined = root
  const labels: string[] = []
  for (const part of pointerParts(pointer)) {
    const { schema } = drawnAt(model, at.schema, { value, pointer: at.pointer, picks: noPicks })
    if (Array.isArray(value)) {
      labels.push(`${toSingular(labels.at(-1) ?? 'Item')} ${Number(part) + 1}`)
      const inner = schemaOfItem(schema, Number(part))
      const deeper = { path: `${at.path}[]`, depth: at.depth + 1 }
      at = { schema: inner, pointer: childPointer(at.pointer, part), ...deeper }
    } else {
      at = placeOfKey({ ...at, schema }, part)
      labels.push(labelOf(model, at, part))
    }
    value = childOf(value, part)
  }
  const { schema } = drawnAt(model, at.schema, { value, pointer: at.pointer, picks: noPicks })
  return { label: labels.length === 0 ? 'Whole input' : labels.join(' › '), schema }
}

/** Every value in it that another tool knows the name of. */
export function entitiesIn(node: InputNode): EntityId[] {
  if (node.kind === 'entity') return [node]
  if (node.kind === 'items') return node.items.flatMap(entitiesIn)
  return node.kind === 'fields' ? node.rows.flatMap((row) => entitiesIn(row.node)) : []
}

const longest = 140

/** A one-line summary that tells inputs apart: `Notes: Opening hours, Prices`. */
export function treeToText(node: InputNode, nameOf: (of: EntityId) => string | undefined): string {
  const text = describeNode(node, nameOf, 0)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

function describeNode(
  node: InputNode,
  nameOf: (of: EntityId) => string | undefined,
  depth: number,
): string {
  switch (node.kind) {
    case 'text':
      return toSafeLine(node.text.slice(0, longest * 2))
    case 'entity':
      return nameOf(node) ?? String(node.id)
    case 'json':
      return describeCount(node.value)
    case 'items': {
      const isPlain = node.items.every(({ kind }) => kind === 'text' || kind === 'entity')
      if (!isPlain) return node.items.length === 1 ? '1 item' : `${node.items.length} items`
      return node.items
        .slice(0, 20)
        .map((item) => describeNode(item, nameOf, depth + 1))
        .join(', ')
    }
    case 'fields': {
      if (depth > 0) return node.rows.length === 1 ? '1 field' : `${node.rows.length} fields`
      return node.rows
        .map((row) => `${row.label}: ${describeNode(row.node, nameOf, depth + 1)}`)
        .join(' · ')
    }
  }
}

function describeCount(value: JsonValue): string {
  const size = isRecord(value) ? Object.keys(value).length : Array.isArray(value) ? value.length : 1
  return `${size} ${isRecord(value) ? 'fields' : 'items'}`
}
