import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { ComponentPropsWithoutRef, ReactElement } from 'react'

interface RowAction {
  label: string
  icon: Icon
  onClick?: () => void
  /** Renders the item as a link. */
  renderRoot?: (props: ComponentPropsWithoutRef<'a'>) => ReactElement
  isDisabled?: boolean
  isDangerous?: boolean
}

interface RowActionsProps {
  /** The name of the row's subject, for screen readers. */
  name: string
  /** `false` leaves an action out. */
  actions: readonly (RowAction | false)[]
  /** Shown below the actions, such as why some are disabled. */
  note?: string | undefined
  width?: number
}

/** The menu at the end of a table row. */
export function RowActions({ name, actions, note, width = 200 }: RowActionsProps) {
  return (
    <Menu position="bottom-end" shadow="md" width={width}>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions
          .filter((action) => action !== false)
          .map(({ label, icon: Picture, isDisabled, isDangerous, ...handlers }) => (
            <Menu.Item
              key={label}
              leftSection={<Picture size={16} stroke={1.6} />}
              disabled={isDisabled ?? false}
              {...(isDangerous && { color: 'red' })}
              {...handlers}
            >
              {label}
            </Menu.Item>
          ))}
        {note !== undefined && <Menu.Label>{note}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
