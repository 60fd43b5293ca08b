import { Avatar, Menu, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconBook, IconLogout, IconUser } from '@tabler/icons-react'
import { api, read } from '../api/client.ts'
import { useMe } from '../api/me.ts'
import { session } from '../api/session.ts'
import { notifyFailure } from '../ui/notify.ts'
import { TenantMark, TenantSwitch } from './tenant-switch.tsx'

/** The signed-in person, their tenant, and sign-out. */
export function AccountMenu() {
  const me = useMe()
  const name = me.name ?? me.email ?? me.principal.id
  return (
    <>
      <TenantMark />
      <Menu position="bottom-end" width={240} shadow="md">
        <Menu.Target>
          <UnstyledButton>
            <Avatar size={28} name={name} color="iris" />
            <span className="visually-hidden">, account of {name}</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {name}
            {me.role !== undefined && ` · ${me.role}`}
          </Menu.Label>
          <TenantSwitch />
          <Menu.Divider />
          <Menu.Item
            component={Link}
            to="/settings/account"
            leftSection={<IconUser size={16} stroke={1.6} />}
          >
            Your account
          </Menu.Item>
          <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} stroke={1.6} />}>
            API reference
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLogout size={16} stroke={1.6} />}
            onClick={() => void signOut()}
          >
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

async function signOut(): Promise<void> {
  try {
    await read(api.POST('/api/v1/sign-out'))
    session.enterTenant(undefined)
  } catch (error) {
    notifyFailure(error)
  }
}
