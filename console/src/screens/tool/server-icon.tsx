import { useComputedColorScheme } from '@mantine/core'
import type { Api } from '../../api/client.ts'
import styles from './tool.module.css'

/**
 * The icon that an MCP server gives a tool. Remote icons are not loaded: their host would learn who
 * looks at the tool, and when.
 */
export function ServerIcon({ icons = [] }: Pick<Api<'ToolDetail'>, 'icons'>) {
  const scheme = useComputedColorScheme('light')
  const own = icons.filter(({ src }) => src.startsWith('data:image/'))
  const icon = own.find(({ theme }) => theme === scheme) ?? own.find(({ theme }) => !theme)
  if (icon === undefined) return null
  return <img className={styles.serverIcon} src={icon.src} alt="" />
}
