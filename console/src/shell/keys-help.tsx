import { Kbd, Modal, Table } from '@mantine/core'
import { holds, useMe } from '../api/me.ts'
import { modKey } from '../ui/mod-key.ts'
import { isOffered, places } from './places.ts'

interface KeysHelpProps {
  isOpen: boolean
  close: () => void
}

/** The keyboard shortcuts that work for this person. */
export function KeysHelp({ isOpen, close }: KeysHelpProps) {
  return (
    <Modal opened={isOpen} onClose={close} title="Keyboard shortcuts">
      <Keys />
    </Modal>
  )
}

function Keys() {
  const { permissions } = useMe()
  return (
    <Table>
      <Table.Tbody>
        {rowsFor(permissions).map(([keys, does]) => (
          <Table.Tr key={keys}>
            <Table.Td>
              <Kbd style={{ whiteSpace: 'nowrap' }}>{keys.replace('mod', modKey)}</Kbd>
            </Table.Td>
            <Table.Td>{does}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

type KeyRow = readonly [keys: string, does: string]

function rowsFor(permissions: readonly string[]): KeyRow[] {
  const mayDecide = holds(permissions, 'approvals.decide')
  const reachable = places.filter((place) => isOffered(place, permissions))
  return [
    ['mod K', 'Search or jump to…'],
    ['?', 'This help'],
    ['mod Enter', `Run the tool, ${mayDecide ? 'approve the request, ' : ''}send the message`],
    ...(mayDecide ? deciding : []),
    ['J / K', 'Next and previous request'],
    ['Esc', 'Close'],
    ...reachable.map(({ key, label }): KeyRow => [`g ${key}`, label]),
  ]
}

const deciding: readonly KeyRow[] = [
  ['mod Backspace', 'Reject the request'],
  ['E', 'Edit the input of the request'],
]
