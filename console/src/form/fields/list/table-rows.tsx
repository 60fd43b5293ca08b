import type { JsonValue } from '../../../api/json.ts'
import { useForm } from '../../form-context.ts'
import { schemaOfItem } from '../../model/concrete.ts'
import { drawnAt, noPicks } from '../../model/drawn.ts'
import { inOrder } from '../../model/field-order.ts'
import { childPath, fieldSpec } from '../../model/form-spec.ts'
import { toLabel } from '../../model/labels/labels.ts'
import { childOf, childPointer } from '../../model/pointer.ts'
import { schemaEntries, stringsOf, textOf } from '../../model/schema.ts'
import type { Schema } from '../../model/schema.ts'
import styles from '../../form.module.css'
import { ItemButtons } from './item-buttons.tsx'
import type { PieceProps } from '../piece.ts'
import type { ListActions } from './use-list.ts'

interface TableRowsProps {
  piece: PieceProps
  items: readonly JsonValue[]
  list: ListActions
  noun: string
}

interface Column {
  name: string
  path: string
  schema: Schema
  label: string
  help: string | undefined
  isRequired: boolean
}

/** Flat objects as rows. Where there is no room for columns, each row is a small block. */
export function TableRows({ piece, items, list, noun }: TableRowsProps) {
  const columns = useColumns(piece)
  const { Field } = useForm()
  return (
    <table className={styles.table} data-wide={columns.length > 3} aria-label={piece.label}>
      <thead>
        <tr>
          {columns.map(({ name, label, help, isRequired }) => (
            <th key={name} scope="col" title={help} dir="auto">
              {label}
              {isRequired && (
                <span className={styles.asked} aria-hidden="true">
                  {' '}
                  *
                </span>
              )}
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          <tr key={index}>
            {columns.map(({ name, path, schema, label, isRequired }) => (
              <td key={name} data-label={label}>
                <Field
                  schema={schema}
                  pointer={childPointer(childPointer(piece.pointer, index), name)}
                  path={path}
                  label={`${label}, ${noun.toLowerCase()} ${index + 1}`}
                  value={childOf(item, name)}
                  isRequired={isRequired}
                  depth={piece.depth + 2}
                  isBare
                />
              </td>
            ))}
            <td className={styles.rowButtons}>
              <ItemButtons
                list={list}
                index={index}
                count={items.length}
                noun={`${noun} ${index + 1}`}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function useColumns({ drawn, path }: PieceProps): Column[] {
  const { model } = useForm().store
  const place = { value: undefined, pointer: '', picks: noPicks }
  const row = drawnAt(model, schemaOfItem(drawn.schema, 0), place).schema
  const properties = new Map(schemaEntries(row['properties']))
  const required = new Set(stringsOf(row['required']))
  const { order } = fieldSpec(model.spec, `${path}[]`)
  return inOrder([...properties.keys()], order).flatMap((name) => {
    const schema = properties.get(name) ?? true
    const inner = childPath(`${path}[]`, name)
    const spec = fieldSpec(model.spec, inner)
    if (spec.hidden === true) return []
    const cell = drawnAt(model, schema, place)
    return [
      {
        name,
        path: inner,
        schema,
        label: spec.label ?? textOf(cell.schema['title']) ?? toLabel(name),
        help: spec.help ?? textOf(cell.schema['description']),
        isRequired: required.has(name) && !cell.isNullable,
      },
    ]
  })
}
