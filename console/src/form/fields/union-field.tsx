import { SegmentedControl, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { fieldId, useForm } from '../form-context.ts'
import type { Drawn, Picker } from '../model/drawn.ts'
import { optionLabels, toLabel } from '../model/labels/labels.ts'
import styles from '../form.module.css'
import type { FieldProps } from './piece.ts'

interface UnionFieldProps extends FieldProps {
  drawn: Drawn
  help: string | undefined
  children: ReactNode
}

/** A value of one of several kinds: which one, and its control. */
export function UnionField({ drawn, label, help, children, ...place }: UnionFieldProps) {
  const isAsked = place.isRequired && !drawn.isNullable
  return (
    <div className={styles.union}>
      {place.isBare !== true && (
        <div className={styles.unionLabel} dir="auto">
          {label}
          {isAsked && (
            <span className={styles.asked} aria-hidden="true">
              {' '}
              *
            </span>
          )}
          {help !== undefined && <p>{help}</p>}
        </div>
      )}
      <Pickers drawn={drawn} place={place} label={label} />
      {children}
    </div>
  )
}

interface PickersProps {
  drawn: Drawn
  place: Pick<FieldProps, 'pointer' | 'schema'>
  label: string
}

/** The choices between options at one place. */
export function Pickers({ drawn, place, label }: PickersProps) {
  return drawn.pickers.map((picker) => (
    <PickerControl key={picker.key} picker={picker} place={place} label={label} />
  ))
}

const maxSegments = 4
const maxSegmentLetters = 40

function PickerControl({ picker, place, label }: Omit<PickersProps, 'drawn'> & { picker: Picker }) {
  const { store, isDisabled } = useForm()
  const names = optionLabels(store.model, picker)
  const data = names.map((name, index) => ({ value: String(index), label: name }))
  const name = picker.discriminator === undefined ? `${label}: kind` : toLabel(picker.discriminator)
  const pick = (index: string | null) => {
    if (index !== null && Number(index) !== picker.index) {
      store.pick(place, picker.key, Number(index))
    }
  }
  const common = { data, value: String(picker.index), onChange: pick, disabled: isDisabled }
  const isShort = names.length <= maxSegments && names.join('').length <= maxSegmentLetters
  return (
    <div className={styles.picker}>
      {picker.discriminator !== undefined && <div className={styles.pickerLabel}>{name}</div>}
      {isShort ? (
        <SegmentedControl {...common} aria-label={name} id={pickerId(picker)} />
      ) : (
        <Select
          {...common}
          aria-label={name}
          id={pickerId(picker)}
          allowDeselect={false}
          searchable={names.length > 8}
          comboboxProps={{ keepMounted: false }}
        />
      )}
    </div>
  )
  function pickerId({ key, discriminator }: Picker): string {
    const [pointer = ''] = key.split('#', 1)
    const own = discriminator === undefined ? key : `${pointer}/${discriminator}`
    return fieldId(store, own)
  }
}
