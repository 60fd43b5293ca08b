import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconFlask, IconHistory, IconNote, IconTrash } from '@tabler/icons-react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { RowActions } from '../../ui/list/row-actions.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { describeTools } from './secret-rows.ts'
import type { SecretRow } from './secret-rows.ts'
import styles from './secrets.module.css'

interface ActionsProps {
  row: SecretRow
  onEdit: () => void
  onNote: () => void
  onTest: () => void
}

/** The actions on a secret: set, replace, check, view history, delete. */
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
        <RowActions
          name={named}
          actions={[
            { label: 'Description and expiry', icon: IconNote, onClick: onNote },
            row.hasCheck && { label: 'Test', icon: IconFlask, onClick: onTest },
            mayAudit && {
              label: 'Change history',
              icon: IconHistory,
              renderRoot: (props) => <Link to="/audit" search={{ q: row.name }} {...props} />,
            },
            { label: 'Delete', icon: IconTrash, isDangerous: true, onClick: () => void remove() },
          ]}
        />
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
      message: describeLoss(row),
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

/** What stops working when it is deleted. */
function describeLoss({ agent, requiredBy, usedBy }: SecretRow): string {
  if (agent !== undefined)
    return `The agent ${agent} then uses the tenant’s value, if there is one.`
  if (requiredBy.length > 0) {
    const [verb, pronoun] = requiredBy.length === 1 ? ['stops', 'it'] : ['stop', 'they']
    return `${describeTools(requiredBy)} ${verb} working for everyone until it is set again: ${pronoun} can’t run without it.`
  }
  if (usedBy.length > 0) return `${describeTools(usedBy)} can run without it.`
  return 'No tool uses it.'
}
