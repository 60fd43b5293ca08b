import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'

interface SidePanelProps {
  title: string
  isOpen?: boolean
  onClose: () => void
  children: ReactNode
}

/** One of a list, beside the list it was chosen from. */
export function SidePanel({ title, isOpen = true, onClose, children }: SidePanelProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={600}
      title={title}
      overlayProps={{ backgroundOpacity: 0.15 }}
    >
      {children}
    </Drawer>
  )
}
