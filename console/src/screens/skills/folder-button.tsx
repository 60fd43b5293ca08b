import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRef } from 'react'

interface FolderButtonProps {
  onChoose: (files: readonly File[]) => void
  isLoading: boolean
  icon: ReactNode
}

/** Opens the browser's folder picker. */
export function FolderButton({ onChoose, isLoading, icon }: FolderButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        variant="default"
        loading={isLoading}
        leftSection={icon}
        onClick={() => input.current?.click()}
      >
        Choose folder
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Skill folder"
        // Not in React's types, but supported by all current browsers.
        {...{ webkitdirectory: '' }}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          if (files.length > 0) onChoose(files)
        }}
      />
    </>
  )
}
