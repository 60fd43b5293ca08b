import type { JsonValue } from '../../../api/json.ts'
import { useForm } from '../../form-context.ts'
import type { FormStore } from '../../form-store.ts'
import { schemaOfItem } from '../../model/concrete.ts'
import { newValue } from '../../model/defaults.ts'
import { childPointer } from '../../model/pointer.ts'
import type { Maybe } from '../../model/pointer.ts'
import { focusSoon } from '../../focus-field.ts'
import type { PieceProps } from '../piece.ts'

/** Actions on the items of a list. The focus goes along. */
export interface ListActions {
  addId: string
  buttonId(index: number, does: 'up' | 'down' | 'remove'): string
  isDisabled: boolean
  add(): void
  remove(index: number): void
  move(index: number, by: 1 | -1): void
}

export function useList(piece: PieceProps): ListActions {
  const { store } = useForm()
  const { id, isDisabled } = piece
  const addId = `${id}-add`
  const buttonId: ListActions['buttonId'] = (index, does) => `${id}-${does}-${index}`
  const change = (make: (items: JsonValue[]) => JsonValue[]) =>
    store.edit(piece.pointer, (before) => {
      const after = make(Array.isArray(before) ? before : [])
      return after.length === 0 ? emptyList(piece) : after
    })
  return {
    addId,
    buttonId,
    isDisabled,
    add() {
      change((items) => [...items, freshItem(store, piece, items.length)])
      const last = Array.isArray(piece.value) ? piece.value.length : 0
      focusSoon(`${store.id}${childPointer(piece.pointer, last)}`)
    },
    remove(index) {
      change((items) => items.toSpliced(index, 1))
      store.movePicks(piece.pointer, (at) => {
        if (at === index) return undefined
        return at > index ? at - 1 : at
      })
      focusSoon(buttonId(index, 'remove'), addId)
    },
    move(index, by) {
      const other = index + by
      change((items) => items.with(index, items[other] ?? null).with(other, items[index] ?? null))
      const swapped = new Map([
        [index, other],
        [other, index],
      ])
      store.movePicks(piece.pointer, (at) => swapped.get(at) ?? at)
      focusSoon(
        buttonId(other, by === 1 ? 'down' : 'up'),
        buttonId(other, by === 1 ? 'up' : 'down'),
      )
    },
  }
}

/** An empty list is a list where one must be there, and otherwise nothing. */
function emptyList({ isRequired, drawn }: PieceProps): Maybe {
  if (isRequired) return drawn.isNullable ? null : []
  return undefined
}

function freshItem(store: FormStore, { drawn, pointer }: PieceProps, index: number): JsonValue {
  const schema = schemaOfItem(drawn.schema, index)
  return newValue(store.model, schema, childPointer(pointer, index))
}
