import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useForm } from '../form-context.ts'
import { newValue } from '../model/defaults.ts'
import styles from '../form.module.css'
import type { PieceProps } from './piece.ts'

interface PartProps {
  piece: PieceProps
  /** Otherwise there is only a way to add it. */
  isThere: boolean
  /** The value that "Add" inserts. */
  noun: string
  /** True if it is optional and can be removed as a whole. */
  mayGo?: boolean
  children: ReactNode
}

/** A part of a form with fields of its own: named, boxed, deeper ones by a line at their side. */
export function Part(props: PartProps) {
  const { piece, isThere, noun, mayGo = true, children } = props
  const { id, label, help, error, depth, isBare = false } = piece
  const isAsked = piece.isRequired && !piece.drawn.isNullable
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      className={styles.part}
      data-deep={depth > 1}
      data-bare={isBare}
      {...(isBare && { 'aria-label': label })}
      aria-describedby={error && `${id}-error`}
    >
      {!isBare && <Legend label={label} isAsked={isAsked && piece.isItem !== true} />}
      {isThere && <RemoveButton piece={piece} noun={noun} mayGo={mayGo && !isAsked} />}
      {!isBare && <Help text={help} />}
      <PartError id={id} error={error} />
      {isThere ? children : <AddButton piece={piece} noun={noun} />}
    </fieldset>
  )
}

function Legend({ label, isAsked }: { label: string; isAsked: boolean }) {
  return (
    <legend dir="auto">
      {label}
      {isAsked && (
        <span className={styles.asked} aria-hidden="true">
          {' '}
          *
        </span>
      )}
    </legend>
  )
}

function Help({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p className={styles.help} dir="auto">
      {text}
    </p>
  )
}

type ButtonProps = Pick<PartProps, 'piece' | 'noun'>

function RemoveButton({ piece, noun, mayGo }: ButtonProps & { mayGo: boolean }) {
  if (!mayGo || piece.isDisabled || piece.isBare === true) return null
  return (
    <ActionIcon
      className={styles.partRemove}
      size={28}
      aria-label={`Remove ${noun}`}
      onClick={() => piece.set(undefined)}
    >
      <IconX size={16} stroke={1.6} />
    </ActionIcon>
  )
}

function AddButton({ piece, noun }: ButtonProps) {
  const { store } = useForm()
  const { pointer, schema } = piece
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconPlus size={14} stroke={1.8} />}
      disabled={piece.isDisabled}
      onClick={() => store.edit(pointer, () => newValue(store.model, schema, pointer))}
      aria-label={`Add ${noun}`}
    >
      Add
    </Button>
  )
}

function PartError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null
  return (
    <p id={`${id}-error`} className={styles.error}>
      {error}
    </p>
  )
}
