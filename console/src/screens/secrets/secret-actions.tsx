import { ActionIcon, Button, Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconDots, IconFlask, IconHistory, IconNote, IconTrash } from '@tabler/icons-react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { sayTools } from './secret-rows.ts'
import type { SecretRow } from './secret-rows.ts'
import styles from './secrets.module.css'

interface ActionsProps {
  row: SecretRow
  onEdit: () => void
  onNote: () => void
  onTest: () => void
}

/** What can be done with one: set or replace it, try it out, see who changed it, delete it. */
export function SecretActions({ row, onEdit, onNote, onTest }: ActionsProps) {
  const mayAudit = useCan('audit.read')
  const remove = useRemove(row)
  const isSet = row.state === 'set' && row.updatedAt !== undefined
  const named = row.agent === undefined ? row.name : `${row.name} of ${row.agent}`
  return (
    <span className={styles.buttons}>
      <Button
        size="xs"
        variant="default"
        onClick={onEdit}
        aria-label={`${isSet ? 'Replace' : 'Set value of'} ${named}`}
      >
        {isSet ? 'Replace' : 'Set value'}
      </Button>
      {isSet && (
        <Menu position="bottom-end" shadow="md" width={200}>
          <Menu.Target>
            <ActionIcon aria-label={`More about ${named}`}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconNote size={16} stroke={1.6} />} onClick={onNote}>
              Notes and expiry
            </Menu.Item>
            {row.hasCheck && (
              <Menu.Item leftSection={<IconFlask size={16} stroke={1.6} />} onClick={onTest}>
                Test
              </Menu.Item>
            )}
            {mayAudit && (
              <Menu.Item
                renderRoot={(props) => <Link to="/audit" search={{ q: row.name }} {...props} />}
                leftSection={<IconHistory size={16} stroke={1.6} />}
              >
                Change history
              </Menu.Item>
            )}
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={16} stroke={1.6} />}
              onClick={() => void remove()}
            >
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </span>
  )
}

function useRemove(row: SecretRow): () => Promise<void> {
  const queryClient = useQueryClient()
  const { name, agent } = row
  return async () => {
    const isSure = await confirm({
      title: `Delete ${name}?`,
      message: sayLoss(row),
      confirmLabel: 'Delete',
      isDangerous: true,
    })
    if (!isSure) return
    try {
      await read(
        api.DELETE('/api/v1/secrets/{name}', {
          params: { path: { name }, query: { ...(agent !== undefined && { agent }) } },
        }),
      )
      notifySuccess(`${name} deleted`)
    } catch (error) {
      notifyFailure(error)
    }
    await queryClient.invalidateQueries({ queryKey: ['secrets'] })
  }
}

/** What stops working. */
function sayLoss({ agent, requiredBy, usedBy }: SecretRow): string {
  if (agent !== undefined) return `The agent ${agent} uses the tenant's value from then on, if any.`
  if (requiredBy.length > 0) {
    const [verb, pronoun] = requiredBy.length === 1 ? ['stops', 'it'] : ['stop', 'they']
    return `${sayTools(requiredBy)} ${verb} working for everybody until it is set again: ${pronoun} can't run without it.`
  }
  if (usedBy.length > 0) return `${sayTools(usedBy)} continue to run without it.`
  return 'No tool uses it.'
}
