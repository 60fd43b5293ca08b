import { ActionIcon, Button, Menu } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import {
  IconArrowRight,
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { session } from '../../api/session.ts'
import { Cell, ListTable } from '../../ui/list/list-table.tsx'
import { ListView } from '../../ui/list/list-view.tsx'
import { Panel } from '../../ui/page.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { TenantDialog } from './tenant-dialog.tsx'
import type { TenantTask } from './tenant-dialog.tsx'
import styles from './settings.module.css'

type Tenant = Api<'Tenant'>

/** The organisations of this server, for who runs it. */
export function TenantsSection() {
  const me = useMe()
  const [task, setTask] = useState<TenantTask>()
  const query = useInfiniteQuery({
    queryKey: ['tenants', 'list'],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/tenants', {
          params: { query: { limit: 50, ...(pageParam !== '' && { after: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
  const tenants = query.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <Panel
        isFlush
        title="Tenants"
        description="A new tenant has no members: switch to it and invite the first owner under Members."
        actions={
          <Button
            size="xs"
            leftSection={<IconPlus size={15} stroke={1.6} />}
            onClick={() => setTask({ does: 'create' })}
          >
            New tenant
          </Button>
        }
      >
        <ListView query={query} items={tenants} empty={null}>
          {(found) => (
            <ListTable label="Tenants" head={['Name', 'State', 'Since', '']}>
              {found.map((tenant) => (
                <TenantRow
                  key={tenant.slug}
                  tenant={tenant}
                  isHere={tenant.slug === me.tenant}
                  isHome={tenant.slug === (me.home ?? me.tenant)}
                  onTask={setTask}
                />
              ))}
            </ListTable>
          )}
        </ListView>
      </Panel>
      {task !== undefined && <TenantDialog task={task} onClose={() => setTask(undefined)} />}
    </>
  )
}

interface TenantRowProps {
  tenant: Tenant
  isHere: boolean
  isHome: boolean
  onTask: (task: TenantTask) => void
}

function TenantRow({ tenant, isHere, isHome, onTask }: TenantRowProps) {
  const { slug, name, status, reason, isDeclared, createdAt } = tenant
  const isFixed = isDeclared || slug === 'default'
  return (
    <tr>
      <Cell kind="name">
        <span className={styles.two}>
          <span>
            <span className={styles.strong} dir="auto">
              {name}
            </span>{' '}
            {isHere && <Tag tone="iris">you are here</Tag>}
          </span>
          <code className={styles.dim}>{slug}</code>
        </span>
      </Cell>
      <Cell label="State">
        <span className={styles.two}>
          <Tag tone={status === 'active' ? 'allow' : 'ask'}>
            {status === 'active' ? 'Active' : 'Suspended'}
          </Tag>
          {reason !== undefined && (
            <span className={styles.dim} dir="auto">
              {reason}
            </span>
          )}
          {isDeclared && <span className={styles.dim}>defined in the configuration</span>}
        </span>
      </Cell>
      <Cell label="Since">
        <TimeAgo at={createdAt} />
      </Cell>
      <Cell kind="menu">
        <Menu position="bottom-end" shadow="md" width={200}>
          <Menu.Target>
            <ActionIcon aria-label={`Actions for ${name}`}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconArrowRight size={16} stroke={1.6} />}
              disabled={isHere}
              onClick={() => session.enterTenant(isHome ? undefined : slug)}
            >
              Act in it
            </Menu.Item>
            <Menu.Item
              leftSection={<IconPencil size={16} stroke={1.6} />}
              disabled={isDeclared}
              onClick={() => onTask({ does: 'rename', tenant })}
            >
              Rename
            </Menu.Item>
            <Menu.Item
              leftSection={
                status === 'active' ? (
                  <IconPlayerPause size={16} stroke={1.6} />
                ) : (
                  <IconPlayerPlay size={16} stroke={1.6} />
                )
              }
              disabled={slug === 'default'}
              onClick={() => onTask({ does: status === 'active' ? 'suspend' : 'resume', tenant })}
            >
              {status === 'active' ? 'Suspend' : 'Resume'}
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={16} stroke={1.6} />}
              disabled={isFixed}
              onClick={() => onTask({ does: 'delete', tenant })}
            >
              Delete
            </Menu.Item>
            {isFixed && (
              <Menu.Label>
                {isDeclared
                  ? 'Defined in the configuration: rename or remove it there.'
                  : 'The default tenant can’t be removed.'}
              </Menu.Label>
            )}
          </Menu.Dropdown>
        </Menu>
      </Cell>
    </tr>
  )
}
