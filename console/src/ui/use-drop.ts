import { useState } from 'react'
import type { DragEvent } from 'react'

/** Files may be dropped on it, and it shows so. */
export function useDrop(isDisabled: boolean, take: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  return {
    isOver,
    dropProps: {
      onDragOver(event: DragEvent) {
        if (isDisabled || !hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent) {
        if (!hasFiles(event)) return
        // Otherwise the browser opens the file in place of the console, and what was typed is lost.
        event.preventDefault()
        setOver(false)
        if (!isDisabled) take([...event.dataTransfer.files])
      },
    },
  }
}
