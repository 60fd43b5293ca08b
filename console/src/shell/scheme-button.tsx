import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'

/** Light or dark; the system's setting until one is chosen. */
export function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const label = isDark ? 'Use light colours' : 'Use dark colours'
  return (
    <Tooltip label={label}>
      <ActionIcon onClick={() => setColorScheme(isDark ? 'light' : 'dark')} aria-label={label}>
        {isDark ? <IconSun size={17} stroke={1.6} /> : <IconMoon size={17} stroke={1.6} />}
      </ActionIcon>
    </Tooltip>
  )
}
