import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { JsonValue } from '../../api/json.ts'
import { useForm } from '../form-context.ts'
import { schemaOfKey } from '../model/concrete.ts'
import { newValue } from '../model/defaults.ts'
import { childPointer } from '../model/pointer.ts'
import type { Maybe } from '../model/pointer.ts'
import { isRecord, schemaEntries } from '../model/schema.ts'
import { focusSoon } from '../focus-field.ts'
import styles from '../form.module.css'
import { Part } from './part.tsx'
import type { PieceProps } from './piece.ts'

const none: ReadonlySet<string> = new Set()

/** Names and values that people make up themselves. */
export function MapField(piece: PieceProps) {
  return (
    <Part piece={piece} isThere noun={piece.label} mayGo={false}>
      <MapRows {...piece} known={none} />
    </Part>
  )
}

/** The entries of an object beside the properties that are known. */
export function MapRows(piece: PieceProps & { known: ReadonlySet<string> }) {
  const { pointer, value, known, drawn, id, isDisabled } = piece
  const { store } = useForm()
  const entries = isRecord(value) ? Object.entries(value) : []
  const rows = entries.filter(([key]) => !known.has(key))
  const add = () => {
    const key = freshKey(
      entries.map(([taken]) => taken),
      patternHint(drawn.schema),
    )
    const schema = schemaOfKey(drawn.schema, key)
    const made = newValue(store.model, schema, childPointer(pointer, key))
    store.edit(pointer, (before) => ({ ...asObject(before), [key]: made }))
    focusSoon(`${id}-key-${rows.length}`)
  }
  return (
    <div className={styles.map}>
      {rows.map(([key, held], index) => (
        <MapRow
          key={index}
          piece={piece}
          entry={{ key, held, index, taken: entries.map(([name]) => name) }}
        />
      ))}
      <Button
        id={`${id}-add`}
        className={styles.add}
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} stroke={1.8} />}
        disabled={isDisabled}
        onClick={add}
      >
        Add entry
      </Button>
    </div>
  )
}

interface Entry {
  key: string
  held: JsonValue
  index: number
  taken: readonly string[]
}

function MapRow({ piece, entry }: { piece: PieceProps; entry: Entry }) {
  const { pointer, path, drawn, id, depth, isDisabled } = piece
  const { key, held, index, taken } = entry
  const { store, Field } = useForm()
  const [typed, setTyped] = useState<string>()
  const wanted = typed ?? key
  const isTaken = wanted !== key && taken.includes(wanted)
  const rename = () => {
    if (wanted !== key && wanted !== '' && !isTaken) {
      store.edit(pointer, (before) => renamed(asObject(before), key, wanted))
    }
    if (!isTaken) setTyped(undefined)
  }
  const remove = () => {
    store.edit(pointer, (before) => withoutKey(piece, asObject(before), key))
    focusSoon(`${id}-key-${index}`, `${id}-add`)
  }
  return (
    <div className={styles.mapRow}>
      <TextInput
        id={`${id}-key-${index}`}
        aria-label={`Name of entry ${index + 1}`}
        placeholder="Name"
        dir="auto"
        value={wanted}
        disabled={isDisabled}
        error={isTaken ? 'This name is taken' : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={rename}
        onKeyDown={(event) => {
          if (event.key === 'Enter') rename()
        }}
      />
      <div className={styles.itemBody}>
        <Field
          schema={schemaOfKey(drawn.schema, key)}
          pointer={childPointer(pointer, key)}
          path={`${path}.*`}
          label={`Value of ${key}`}
          value={held}
          isRequired
          depth={depth + 1}
          isBare
        />
      </div>
      {!isDisabled && (
        <ActionIcon size={28} aria-label={`Remove ${key}`} onClick={remove}>
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      )}
    </div>
  )
}

function asObject(value: Maybe): { [key: string]: JsonValue } {
  return isRecord(value) ? value : {}
}

function withoutKey(piece: PieceProps, object: { [key: string]: JsonValue }, key: string): Maybe {
  const { [key]: _, ...others } = object
  const isOptional = !piece.isRequired && piece.kind === 'map' && piece.depth > 0
  return Object.keys(others).length === 0 && isOptional ? undefined : others
}

/** The same entries in the same order, one under another name. */
function renamed(object: { [key: string]: JsonValue }, from: string, to: string) {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key === from ? to : key, value]),
  )
}

/** `^x-` wants names that begin with `x-`. */
function patternHint(schema: Record<string, unknown>): string {
  const [first] = schemaEntries(schema['patternProperties'])
  return /^\^([\w-]+)/.exec(first?.[0] ?? '')?.[1] ?? ''
}

function freshKey(taken: readonly string[], prefix: string): string {
  for (let number = 1; ; number += 1) {
    const key = `${prefix}name${number === 1 ? '' : number}`
    if (!taken.includes(key)) return key
  }
}
