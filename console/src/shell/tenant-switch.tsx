import { Menu, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconBuilding, IconCheck, IconX } from '@tabler/icons-react'
import { api, read } from '../api/client.ts'
import { holds, useMe } from '../api/me.ts'
import type { Me } from '../api/me.ts'
import { session } from '../api/session.ts'
import styles from './tenant-switch.module.css'

/** The number of tenants in the menu; the rest are under Settings. */
const mostInMenu = 12

/** The tenants that the signed-in person may act in. */
export function TenantSwitch() {
  const me = useMe()
  const tenants = useTenants(me)
  const home = me.home ?? me.tenant
  if (tenants.length < 2) return null
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Tenant</Menu.Label>
      {tenants.slice(0, mostInMenu).map(({ slug, name }) => (
        <Menu.Item
          key={slug}
          onClick={() => session.enterTenant(slug === home ? undefined : slug)}
          rightSection={slug === me.tenant ? <IconCheck size={14} aria-label="Current" /> : null}
        >
          <span dir="auto">{name}</span>
        </Menu.Item>
      ))}
      {tenants.length > mostInMenu && (
        <Menu.Item
          component={Link}
          to="/settings/tenants"
          leftSection={<IconBuilding size={16} stroke={1.6} />}
        >
          All tenants
        </Menu.Item>
      )}
    </>
  )
}

/** Shown while acting in another tenant: whose data is on the screen, and how to switch back. */
export function TenantMark() {
  const me = useMe()
  const tenants = useTenants(me)
  if (me.home === undefined) return null
  const name = tenants.find(({ slug }) => slug === me.tenant)?.name ?? me.tenant
  return (
    <Tooltip label={`Go back to ${me.home}`}>
      <button
        type="button"
        className={styles.mark}
        onClick={() => session.enterTenant(undefined)}
        aria-label={`Acting in ${name}: go back to ${me.home}`}
      >
        <span dir="auto">
          <span className={styles.words}>Acting in </span>
          {name}
        </span>
        <IconX size={14} aria-hidden="true" />
      </button>
    </Tooltip>
  )
}

function useTenants(me: Me) {
  const isOperator = (me.home ?? me.tenant) === 'default' && holds(me.permissions, 'tenants.manage')
  const { data } = useQuery({
    queryKey: ['tenants', 'to switch'],
    queryFn: () => read(api.GET('/api/v1/tenants', { params: { query: { limit: 50 } } })),
    enabled: isOperator,
  })
  return data?.items ?? []
}
