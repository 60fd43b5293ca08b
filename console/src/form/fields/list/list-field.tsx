import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useForm } from '../../form-context.ts'
import { schemaOfItem } from '../../model/concrete.ts'
import { toSingular } from '../../model/labels/labels.ts'
import { childPointer } from '../../model/pointer.ts'
import { isRecord, numberOf, schemasOf, textOf } from '../../model/schema.ts'
import { drawnAt, noPicks } from '../../model/drawn.ts'
import styles from '../../form.module.css'
import { ItemButtons } from './item-buttons.tsx'
import { Part } from '../part.tsx'
import type { PieceProps } from '../piece.ts'
import { TableRows } from './table-rows.tsx'
import { useList } from './use-list.ts'

/** A list: items one below the other, rows of a table where they are flat, or the places of a tuple. */
export function ListField(piece: PieceProps) {
  const { drawn, value, kind, label } = piece
  const list = useList(piece)
  const items = Array.isArray(value) ? value : []
  const tuple = schemasOf(drawn.schema['prefixItems'])
  const noun = useNoun(piece)
  // A list that is not there yet is an empty one: the first item makes it.
  const isThere = kind !== 'tuple' || Array.isArray(value) || piece.isRequired
  const most = numberOf(drawn.schema['maxItems']) ?? Infinity
  const mayGrow = kind !== 'tuple' || isRecord(drawn.schema['items'])
  const isFull = items.length >= most
  return (
    // A list is removed with its last item; only a tuple is removed as a whole.
    <Part piece={piece} isThere={isThere} noun={label} mayGo={kind === 'tuple'}>
      {kind === 'table' && items.length > 0 ? (
        <TableRows piece={piece} items={items} list={list} noun={noun} />
      ) : (
        <Items piece={piece} noun={noun} fixed={tuple.length} />
      )}
      {mayGrow && (
        <Button
          id={list.addId}
          className={styles.add}
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} stroke={1.8} />}
          disabled={piece.isDisabled || isFull}
          onClick={list.add}
        >
          Add {noun.toLowerCase()}
        </Button>
      )}
      {isFull && <p className={styles.help}>No more than {most}.</p>}
    </Part>
  )
}

function useNoun({ drawn, label }: PieceProps): string {
  const { store } = useForm()
  const item = schemaOfItem(drawn.schema, schemasOf(drawn.schema['prefixItems']).length)
  const place = { value: undefined, pointer: '', picks: noPicks }
  return textOf(drawnAt(store.model, item, place).schema['title']) ?? toSingular(label)
}

interface ItemsProps {
  piece: PieceProps
  noun: string
  /** The number of fixed positions. */
  fixed: number
}

function Items({ piece, noun, fixed }: ItemsProps) {
  const { drawn, value, pointer, path, depth, kind } = piece
  const { store, Field } = useForm()
  const list = useList(piece)
  const items = Array.isArray(value) ? value : []
  const count = Math.max(items.length, fixed)
  return (
    <ol className={styles.items}>
      {Array.from({ length: count }, (_, index) => {
        const schema = schemaOfItem(drawn.schema, index)
        const isFixed = index < fixed
        const { schema: shape } = drawnAt(store.model, schema, {
          value: items[index],
          pointer: childPointer(pointer, index),
          picks: noPicks,
        })
        const label = textOf(shape['title']) ?? `${noun} ${index + 1}`
        return (
          <li key={index} className={styles.item} data-fixed={isFixed || undefined}>
            <div className={styles.itemBody}>
              <Field
                schema={schema}
                pointer={childPointer(pointer, index)}
                path={`${path}[]`}
                label={isFixed ? label : `${noun} ${index + 1}`}
                value={items[index]}
                isRequired
                isItem={!isFixed}
                depth={depth + 1}
                isBare={!isFixed && !isBoxed(shape)}
              />
            </div>
            {kind !== 'tuple' || !isFixed ? (
              <ItemButtons list={list} index={index} count={count} noun={`${noun} ${index + 1}`} />
            ) : null}
          </li>
        )
      })}
    </ol>
  )
}

/** Objects and lists show their name; a plain value sits beside its buttons. */
function isBoxed(shape: Record<string, unknown>): boolean {
  return 'properties' in shape || 'items' in shape || 'prefixItems' in shape
}
