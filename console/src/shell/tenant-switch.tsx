import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconCheck } from '@tabler/icons-react'
import { api, read } from '../api/client.ts'
import { useCan, useMe } from '../api/me.ts'
import { session } from '../api/session.ts'

/** The tenants that whoever is signed in may act in. */
export function TenantSwitch() {
  const me = useMe()
  const mayManage = useCan('tenants.manage')
  const { data } = useQuery({
    queryKey: ['tenants'],
    queryFn: () => read(api.GET('/api/v1/tenants')),
    enabled: mayManage || me.home !== undefined,
  })
  const home = me.home ?? me.tenant
  const others = data?.items ?? []
  if (others.length < 2) return null
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Tenant</Menu.Label>
      {others.map(({ slug, name }) => (
        <Menu.Item
          key={slug}
          onClick={() => session.enterTenant(slug === home ? undefined : slug)}
          rightSection={slug === me.tenant ? <IconCheck size={14} aria-label="Current" /> : null}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  )
}
