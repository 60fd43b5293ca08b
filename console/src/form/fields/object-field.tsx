import { Button } from '@mantine/core'
import { useState } from 'react'
import { useForm, useFormState } from '../form-context.ts'
import { isMeaningful } from '../model/kinds.ts'
import { toLabel } from '../model/labels/labels.ts'
import { fieldOrder } from '../model/field-order.ts'
import { childPath, fieldSpec } from '../model/form-spec.ts'
import { childOf, childPointer, isWithin } from '../model/pointer.ts'
import { isRecord, schemaEntries, stringsOf } from '../model/schema.ts'
import styles from '../form.module.css'
import { Group } from './group.tsx'
import { MapRows } from './map-field.tsx'
import { Part } from './part.tsx'
import type { PieceProps } from './piece.ts'
import { Pickers } from './union-field.tsx'

/** An object: its fields one below the other. One that may be left out is added when it is wanted. */
export function ObjectField(piece: PieceProps) {
  if (piece.depth === 0) return <ObjectBody {...piece} />
  return (
    <Part piece={piece} isThere={isRecord(piece.value)} noun={piece.label}>
      <ObjectBody {...piece} />
    </Part>
  )
}

/** The number of fields shown at once, before "Show more". */
const pageSize = 200

function ObjectBody(piece: PieceProps) {
  const { drawn, pointer, path, value, depth } = piece
  const { store, Field } = useForm()
  const { spec } = store.model
  const [limit, setLimit] = useState(pageSize)
  const properties = new Map(schemaEntries(drawn.schema['properties']))
  const stands = new Set(drawn.pickers.map(({ discriminator }) => discriminator))
  const required = new Set(stringsOf(drawn.schema['required']))
  const isShown = (name: string) =>
    !stands.has(name) && fieldSpec(spec, childPath(path, name)).hidden !== true
  const order = fieldOrder(spec, path, drawn.schema)
  const loose = order.loose.filter(isShown)
  const groups = order.groups
    .map((group) => ({ ...group, fields: group.fields.filter(isShown) }))
    .filter(({ fields }) => fields.length > 0)
  const inNeed = useInNeed(loose, pointer)
  const draw = (name: string) => (
    <Field
      key={name}
      schema={properties.get(name) ?? true}
      pointer={childPointer(pointer, name)}
      path={childPath(path, name)}
      label={toLabel(name)}
      value={childOf(value, name)}
      isRequired={required.has(name)}
      depth={depth + 1}
    />
  )
  const shown = firstOf(loose, required, Math.max(limit, inNeed))
  const hasOthers =
    isMeaningful(drawn.schema['additionalProperties']) ||
    isRecord(drawn.schema['patternProperties'])
  return (
    <div className={styles.fields}>
      <Pickers drawn={drawn} place={piece} label={piece.label} />
      {shown.map(draw)}
      {shown.length < loose.length && (
        <Button variant="default" onClick={() => setLimit(limit + pageSize)}>
          Show {Math.min(pageSize, loose.length - shown.length)} more of{' '}
          {loose.length - shown.length}
        </Button>
      )}
      {groups.map((group) => (
        <Group key={group.label} group={group} pointer={pointer}>
          {group.fields.map(draw)}
        </Group>
      ))}
      {hasOthers && <MapRows {...piece} known={new Set(properties.keys())} />}
      {loose.length + groups.length === 0 && drawn.pickers.length === 0 && !hasOthers && (
        <p className={styles.nothing}>No fields to fill in.</p>
      )}
    </div>
  )
}

/** The place of the last field that something is wrong with: it has to be on the screen. */
function useInNeed(names: readonly string[], pointer: string): number {
  const { store } = useForm()
  return useFormState(store, ({ issues }) => {
    if (issues.length === 0 || names.length <= pageSize) return 0
    const isWrong = (name: string) =>
      issues.some((issue) => isWithin(issue.pointer, childPointer(pointer, name)))
    return names.findLastIndex(isWrong) + 1
  })
}

/** Those that must be filled in come before others wherever not all are shown. */
function firstOf(names: readonly string[], required: ReadonlySet<string>, limit: number) {
  if (names.length <= limit) return names
  const asked = names.filter((name) => required.has(name))
  return [...asked, ...names.filter((name) => !required.has(name))].slice(0, limit)
}
