import { Button, Pill, Popover, Select, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { formatDateTime } from '../../ui/format/format-date-time.ts'
import styles from './calls.module.css'

export interface FilterChoice {
  value: string
  label: string
}

/** A filter of a list. */
export interface FilterKind {
  name: string
  label: string
  /** Suggests values; other text can still be typed. */
  load?: (text: string) => Promise<FilterChoice[]>
  /** The only valid values. */
  choices?: readonly FilterChoice[]
  isTime?: boolean
  placeholder?: string
  /** The value as text on the chip. */
  format?: (value: string) => string
}

interface FilterBarProps {
  kinds: readonly FilterKind[]
  values: Readonly<Record<string, string | undefined>>
  onChange: (name: string, value: string | undefined) => void
  onClear: () => void
  /** Shown before the chips, such as a search field. */
  before?: ReactNode
  /** Shown at the end of the row. */
  after?: ReactNode
}

/** Filters as removable chips, and a button to add one. They live in the address. */
export function FilterBar({ kinds, values, onChange, onClear, before, after }: FilterBarProps) {
  const set = kinds.filter(({ name }) => values[name] !== undefined)
  return (
    <fieldset className={styles.filters} aria-label="Filters">
      {before}
      <AddFilter kinds={kinds} onAdd={onChange} />
      {set.map(({ name, label, format = String, choices }) => {
        const value = values[name] ?? ''
        const shown = choices?.find((one) => one.value === value)?.label ?? format(value)
        return (
          <Pill
            key={name}
            size="md"
            withRemoveButton
            onRemove={() => onChange(name, undefined)}
            // Mantine hides the button from the keyboard and from screen readers.
            removeButtonProps={{
              'aria-label': `Remove filter ${label}`,
              'aria-hidden': false,
              tabIndex: 0,
            }}
          >
            {label}: <bdi>{shown}</bdi>
          </Pill>
        )
      })}
      {set.length > 1 && (
        <Button variant="subtle" size="compact-sm" onClick={onClear}>
          Clear all
        </Button>
      )}
      <span className={styles.spread} />
      {after}
    </fieldset>
  )
}

interface AddFilterProps {
  kinds: readonly FilterKind[]
  onAdd: (name: string, value: string) => void
}

function AddFilter({ kinds, onAdd }: AddFilterProps) {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState(kinds[0]?.name ?? '')
  const kind = kinds.find((one) => one.name === name)
  const add = (value: string) => {
    setOpen(false)
    onAdd(name, value)
  }
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={300}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFilter size={16} stroke={1.6} />}
          onClick={() => setOpen((before) => !before)}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Add filter">
        <Stack gap="sm">
          <Select
            label="Filter by"
            data={kinds.map((one) => ({ value: one.name, label: one.label }))}
            value={name}
            onChange={(next) => setName(next ?? name)}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
          />
          {kind !== undefined && <ValueField key={kind.name} kind={kind} onAdd={add} />}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function ValueField({ kind, onAdd }: { kind: FilterKind; onAdd: (value: string) => void }) {
  if (kind.isTime === true) return <TimeField kind={kind} onAdd={onAdd} />
  return <ChoiceField kind={kind} onAdd={onAdd} />
}

function ChoiceField({ kind, onAdd }: { kind: FilterKind; onAdd: (value: string) => void }) {
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text.trim(), 150)
  const { load } = kind
  const { data } = useQuery({
    queryKey: ['filter-choices', kind.name, asked],
    queryFn: () => load?.(asked) ?? [],
    enabled: load !== undefined,
    placeholderData: (before) => before,
    staleTime: 60_000,
  })
  const listed = kind.choices ?? data ?? []
  const typed = text.trim()
  const isOpenEnded = kind.choices === undefined && typed !== ''
  const isListed = listed.some(({ value, label }) => value === typed || label === typed)
  const choices =
    isOpenEnded && !isListed ? [...listed, { value: typed, label: `“${typed}”` }] : listed
  return (
    <Select
      label={kind.label}
      placeholder={kind.placeholder ?? 'Choose or type'}
      searchable
      data={choices}
      value={null}
      onSearchChange={setText}
      onChange={(value) => value !== null && onAdd(value)}
      filter={kind.choices === undefined ? ({ options }) => options : undefined}
      nothingFoundMessage="Type to search"
      maxDropdownHeight={220}
      comboboxProps={{ withinPortal: false }}
    />
  )
}

/** A choice of ages, or an absolute time. */
const spans: readonly FilterChoice[] = [
  { value: '15m', label: '15 minutes ago' },
  { value: '1h', label: '1 hour ago' },
  { value: '24h', label: '24 hours ago' },
  { value: '7d', label: '7 days ago' },
  { value: '30d', label: '30 days ago' },
]

function TimeField({ kind, onAdd }: { kind: FilterKind; onAdd: (value: string) => void }) {
  const [moment, setMoment] = useState('')
  return (
    <>
      <Select
        label={kind.label}
        placeholder="How long ago"
        data={[...spans]}
        value={null}
        onChange={(value) => value !== null && onAdd(value)}
        comboboxProps={{ withinPortal: false }}
      />
      <TextInput
        type="datetime-local"
        label="Or a time"
        value={moment}
        onChange={(event) => setMoment(event.currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={moment === ''}
        onClick={() => onAdd(new Date(moment).toISOString())}
      >
        Use this time
      </Button>
    </>
  )
}

/** The filters for a period, the same in every list. */
export const timeFilters: readonly FilterKind[] = [
  { name: 'from', label: 'Since', isTime: true, format: formatTime },
  { name: 'to', label: 'Until', isTime: true, format: formatTime },
]

/** A time of the address as text. */
function formatTime(value: string): string {
  const span = spans.find((one) => one.value === value)
  if (span !== undefined) return span.label
  const at = new Date(value)
  return Number.isNaN(at.getTime()) ? value : formatDateTime(at.getTime())
}
