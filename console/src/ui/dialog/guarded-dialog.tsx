import { Drawer, Modal } from '@mantine/core'
import type { DrawerProps, ModalProps } from '@mantine/core'
import { useRef } from 'react'
import type { FocusEvent, ReactNode } from 'react'
import { confirm } from '../notify.ts'
import { createEditTracker } from './edit-tracker.ts'

/** A dialog that people type in. Escape, a click beside it and its cross ask before they lose anything. */
export function GuardedModal({ onClose, children, ...props }: ModalProps) {
  const { close, watch } = useKept(onClose)
  return (
    <Modal onClose={close} {...props}>
      {watch(children)}
    </Modal>
  )
}

/** The same at the side of the window. */
export function GuardedDrawer({ onClose, children, ...props }: DrawerProps) {
  const { close, watch } = useKept(onClose)
  return (
    <Drawer onClose={close} {...props}>
      {watch(children)}
    </Drawer>
  )
}

function useKept(onClose: () => void) {
  const typed = useRef(createEditTracker())
  const isAsking = useRef(false)
  const answeredAt = useRef(0)
  const place = useRef<HTMLDivElement>(null)
  const ask = async () => {
    isAsking.current = true
    const isSure = await confirm({
      title: 'Discard what you entered?',
      message: 'It is not saved yet.',
      confirmLabel: 'Discard',
      cancelLabel: 'Keep editing',
      isDangerous: true,
    })
    isAsking.current = false
    answeredAt.current = performance.now()
    if (isSure) onClose()
  }
  return {
    close() {
      // The Escape that closes the question is heard by what lies below it too; the next one counts.
      const isOld = (window.event?.timeStamp ?? Infinity) <= answeredAt.current
      if (isOld || isAsking.current || isBelow(place.current)) return
      if (typed.current.isThere()) void ask()
      else onClose()
    },
    watch: (children: ReactNode) => (
      <div
        ref={place}
        style={{ display: 'contents' }}
        onFocus={({ target }: FocusEvent) => typed.current.begin(target)}
      >
        {children}
      </div>
    ),
  }
}

/** Another dialog lies over this one and has the keyboard: Escape is meant for that. */
function isBelow(place: HTMLElement | null): boolean {
  const dialogOf = (element: Element | null) => element?.closest('[role="dialog"]') ?? null
  const top = dialogOf(document.activeElement)
  return top !== null && top !== dialogOf(place)
}
