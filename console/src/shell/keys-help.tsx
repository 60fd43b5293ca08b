import { Kbd, Modal, Table } from '@mantine/core'
import { modKey } from '../ui/mod-key.ts'
import { places } from './places.ts'

const general: readonly (readonly [string, string])[] = [
  ['mod K', 'Search or jump to…'],
  ['?', 'This help'],
  ['mod Enter', 'Run the tool, approve the request, send the message'],
  ['mod Backspace', 'Reject the request'],
  ['J / K', 'Next and previous request'],
  ['Esc', 'Close'],
]

/** Which keys do what. */
export function KeysHelp({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const rows = [...general, ...places.map(({ key, label }) => [`g ${key}`, label] as const)]
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title="Keyboard shortcuts"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Table>
        <Table.Tbody>
          {rows.map(([keys, does]) => (
            <Table.Tr key={keys}>
              <Table.Td>
                <Kbd style={{ whiteSpace: 'nowrap' }}>{keys.replace('mod', modKey)}</Kbd>
              </Table.Td>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
