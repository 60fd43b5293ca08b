import { TextInput } from '@mantine/core'
import type { TextInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import styles from './filter-input.module.css'

interface FilterInputProps extends Pick<TextInputProps, 'mb' | 'my'> {
  /** For screen readers; also the placeholder unless another is given. */
  label: string
  placeholder?: string
  value: string
  onChange: (text: string) => void
}

/** Narrows a list while one types. */
export function FilterInput({ label, placeholder = label, onChange, ...rest }: FilterInputProps) {
  return (
    <TextInput
      {...rest}
      className={styles.filter}
      leftSection={<IconSearch size={15} stroke={1.6} aria-hidden="true" />}
      placeholder={placeholder}
      aria-label={label}
      // The server takes no more.
      maxLength={200}
      onChange={({ currentTarget: { value } }) => onChange(value)}
    />
  )
}

/** The search sent to the server, debounced while typing. */
export function useSearchQuery(typed: string): { q?: string } {
  const [asked] = useDebouncedValue(typed.trim().slice(0, 200), 150)
  return asked === '' ? {} : { q: asked }
}

/** The list may be filtered: an empty list then does not mean that there are no items. */
export function isNarrowed(
  typed: string,
  asked: { q?: string },
  { isPlaceholderData }: { isPlaceholderData: boolean },
): boolean {
  return typed !== '' || asked.q !== undefined || isPlaceholderData
}
