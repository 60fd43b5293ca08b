import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'

interface FilterInputProps {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  className?: string
  mb?: string
}

/** Where words are typed that a list is filtered by; the server looks for them in all of it. */
export function FilterInput({ label, value, onChange, ...props }: FilterInputProps) {
  return (
    <TextInput
      leftSection={<IconSearch size={15} aria-hidden="true" />}
      aria-label={label}
      // The server takes no more.
      maxLength={200}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...props}
    />
  )
}

/** What the server is asked for while somebody types: not every letter. */
export function useAsked(typed: string): { q?: string } {
  const [asked] = useDebouncedValue(typed.trim().slice(0, 200), 150)
  return asked === '' ? {} : { q: asked }
}

/** What is on the screen may be less than there is: an empty list then says nothing of the whole. */
export function isNarrowed(
  typed: string,
  asked: { q?: string },
  { isPlaceholderData }: { isPlaceholderData: boolean },
): boolean {
  return typed !== '' || asked.q !== undefined || isPlaceholderData
}
