import { Kbd, Modal, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { places } from './places.ts'

const general: readonly (readonly [string, string])[] = [
  ['mod K', 'Search or jump to…'],
  ['?', 'This help'],
  ['mod Enter', 'Run the tool, approve the request, send the message'],
  ['mod Backspace', 'Reject the request'],
  ['J / K', 'Next and previous request'],
  ['Esc', 'Close what is open'],
]

/** `?` shows the keys; `g` and a letter go places. Never while somebody types. */
export function Shortcuts() {
  const router = useRouter()
  const [isOpen, { open, close }] = useDisclosure()
  const isGoing = useRef(false)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
    if (event.key === '?') return open()
    if (event.key === 'g' && !isGoing.current) {
      isGoing.current = true
      setTimeout(() => (isGoing.current = false), 1000)
      return
    }
    const place = isGoing.current && places.find(({ key }) => key === event.key)
    isGoing.current = false
    if (place) void router.navigate({ to: place.to })
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
  const rows = [...general, ...places.map(({ key, label }) => [`g ${key}`, label] as const)]
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title="Keys"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Table>
        <Table.Tbody>
          {rows.map(([keys, does]) => (
            <Table.Tr key={keys}>
              <Table.Td>
                <Kbd>{keys.replace('mod', modKey)}</Kbd>
              </Table.Td>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}

/** What people call the key that goes with letters on their machine. */
export const modKey = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
