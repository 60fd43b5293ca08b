import { Cell, ListTable } from '../../../ui/list/list-table.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { useSettings } from '../use-settings.ts'
import { roleWords } from './role-words.ts'
import styles from '../settings.module.css'

/** The roles and their permissions. */
export function RoleHelp() {
  const query = useSettings()
  return (
    <Panel
      isFlush
      title="Roles"
      description="You can’t grant more than you have. Define your own roles under roles in the configuration."
    >
      <QueryView query={query}>
        {({ roles }) => (
          <ListTable label="Roles" head={['Role', 'Description', 'Permissions']}>
            {roles.map(({ name, permissions, isShipped }) => (
              <tr key={name}>
                <Cell kind="name">
                  <Tag>{name}</Tag>
                </Cell>
                <Cell>
                  {isShipped ? (
                    roleWords[name]
                  ) : (
                    <span className={styles.dim}>Defined in the configuration</span>
                  )}
                </Cell>
                <Cell>
                  <span className={styles.dim}>
                    {permissions.includes('*') ? 'everything' : permissions.join(', ') || 'nothing'}
                  </span>
                </Cell>
              </tr>
            ))}
          </ListTable>
        )}
      </QueryView>
    </Panel>
  )
}
