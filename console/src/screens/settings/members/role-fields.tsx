import { Select, TagsInput } from '@mantine/core'
import { useMe } from '../../../api/me.ts'
import { useSettings } from '../use-settings.ts'
import { roleWords } from './role-words.ts'

interface RoleFieldsProps {
  role: string
  permissions: readonly string[]
  onRole: (role: string) => void
  onPermissions: (permissions: string[]) => void
}

/** A role and extra permissions. */
export function RoleFields({ role, permissions, onRole, onPermissions }: RoleFieldsProps) {
  const me = useMe()
  const { data } = useSettings()
  const roles = data?.roles ?? []
  // Only owners can create owners; the server enforces it, and this avoids the error.
  const offered = roles.filter(({ name }) => name !== 'owner' || me.role === 'owner')
  const chosen = roles.find(({ name }) => name === role)
  return (
    <>
      <Select
        label="Role"
        description={roleWords[role] ?? describePermissions(chosen?.permissions)}
        data={[...new Set([role, ...offered.map(({ name }) => name)])]}
        value={role}
        onChange={(wanted) => onRole(wanted ?? role)}
        allowDeselect={false}
      />
      <TagsInput
        label="Extra permissions"
        description="Permissions from the list, or those of tools such as billing.refund. Press Enter to add one."
        data={[...(data?.permissions ?? [])]}
        value={[...permissions]}
        onChange={onPermissions}
        maxTags={100}
        clearable
      />
    </>
  )
}

function describePermissions(permissions: readonly string[] = []): string {
  return permissions.length === 0 ? 'No permissions.' : permissions.join(', ')
}
