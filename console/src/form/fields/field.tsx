import { memo } from 'react'
import type { ComponentType } from 'react'
import { fieldId, useForm, useFormState, useIssue } from '../form-context.ts'
import { drawnAt } from '../model/drawn.ts'
import type { Drawn } from '../model/drawn.ts'
import { descriptionOf, titleOf, withRange } from '../model/labels/field-words.ts'
import { fieldSpec } from '../model/form-spec.ts'
import { kindOf } from '../model/kinds.ts'
import type { Kind } from '../model/kinds.ts'
import type { Maybe } from '../model/pointer.ts'
import { typeOfValue } from '../model/schema.ts'
import { BooleanField } from './boolean-field.tsx'
import { ChoiceField } from './choice-field.tsx'
import { ConstField } from './const-field.tsx'
import { DateField } from './date-field.tsx'
import { JsonField } from './json-field.tsx'
import { lazyField } from './lazy-field.tsx'
import type { FieldProps, PieceProps } from './piece.ts'
import { ListField } from './list/list-field.tsx'
import { MapField } from './map-field.tsx'
import { NumberField } from './number/number-field.tsx'
import { ObjectField } from './object-field.tsx'
import { TextField } from './text-field.tsx'
import { UnionField } from './union-field.tsx'

const ChoicesField = lazyField(async () => (await import('./choices-field.tsx')).ChoicesField)
const SecretField = lazyField(async () => (await import('./secret-field.tsx')).SecretField)
const FileField = lazyField(async () => (await import('./file/file-field.tsx')).FileField)
const EntityField = lazyField(async () => (await import('./entity-field.tsx')).EntityField)

const pieces: Record<Kind, ComponentType<PieceProps>> = {
  const: ConstField,
  choice: ChoiceField,
  choices: ChoicesField,
  boolean: BooleanField,
  number: NumberField,
  text: TextField,
  'long-text': TextField,
  secret: SecretField,
  date: DateField,
  time: DateField,
  'date-time': DateField,
  file: FileField,
  files: FileField,
  entity: EntityField,
  entities: EntityField,
  object: ObjectField,
  list: ListField,
  table: ListField,
  tuple: ListField,
  map: MapField,
  json: JsonField,
}

/** These show what is wrong below them themselves; of the others, each field shows its own. */
const containers = new Set<Kind>(['object', 'list', 'table', 'tuple', 'map'])

/** Deeper than this a form is harder to read than JSON. */
const maxDepth = 8

/** One place of the input. Renders again only when its value, its schema or its issue changes. */
export const Field = memo(function Field(props: FieldProps) {
  const { schema, pointer, path, value } = props
  const { store, isDisabled } = useForm()
  const picks = useFormState(store, (state) => state.picks)
  const { model } = store
  const drawn = drawnAt(model, schema, { value, pointer, picks })
  const kind = props.depth > maxDepth ? 'json' : holdable(kindOf(model, drawn, path), value)
  const error = useIssue(pointer, !containers.has(kind))
  const spec = fieldSpec(model.spec, path)
  const Piece = pieces[kind]
  const isUnion = drawn.pickers.length > 0 && kind !== 'object'
  // A cell or an item is named by its position.
  const isBare = props.isBare === true
  const label = toFieldLabel(
    drawn,
    isBare ? props.label : (spec.label ?? titleOf(schema, drawn) ?? props.label),
  )
  const said = spec.help ?? descriptionOf(drawn, label)
  const help = withRange(said, kind, { ...drawn, widget: spec.widget })
  const piece = (
    <Piece
      {...props}
      kind={kind}
      drawn={drawn}
      id={fieldId(store, pointer)}
      label={label}
      help={help}
      isBare={isUnion || isBare}
      placeholder={spec.placeholder ?? placeholderOf(drawn)}
      widget={spec.widget}
      error={error}
      isDisabled={isDisabled || drawn.schema['readOnly'] === true}
      set={(next) => store.edit(pointer, () => next ?? emptyOf(drawn, props.isRequired))}
    />
  )
  if (!isUnion) return piece
  return (
    <UnionField {...props} label={label} help={help} drawn={drawn}>
      {piece}
    </UnionField>
  )
})

function toFieldLabel({ schema }: Drawn, name: string): string {
  return schema['deprecated'] === true ? `${name} (deprecated)` : name
}

/** The value of an empty field: null where null is required, otherwise none. */
function emptyOf({ isNullable, schema }: Drawn, isRequired: boolean): Maybe {
  return isNullable && (isRequired || 'default' in schema) ? null : undefined
}

function placeholderOf({ schema }: Drawn): string | undefined {
  const { default: given, examples } = schema
  if (typeof given === 'string' || typeof given === 'number') return String(given)
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : []
  return typeof example === 'string' || typeof example === 'number' ? `e.g. ${example}` : undefined
}

/** The types of values that a kind of field can show. */
const shows: Record<Kind, readonly string[]> = {
  const: [],
  choice: ['string', 'number', 'boolean'],
  choices: ['array'],
  boolean: ['boolean'],
  number: ['number', 'string'],
  text: ['string'],
  'long-text': ['string'],
  secret: ['string'],
  date: ['string'],
  time: ['string'],
  'date-time': ['string'],
  file: ['string'],
  files: ['array'],
  entity: ['string', 'number'],
  entities: ['array'],
  object: ['object'],
  list: ['array'],
  table: ['array'],
  tuple: ['array'],
  map: ['object'],
  json: [],
}

/** A value of another type than the field can show is shown as what it is. */
function holdable(kind: Kind, value: Maybe): Kind {
  if (value === undefined || value === null || shows[kind].length === 0) return kind
  return shows[kind].includes(typeOfValue(value)) ? kind : 'json'
}
