import { Kbd } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { overlays } from '../ui/dialog/overlays.ts'
import { modKey } from '../ui/mod-key.ts'
import styles from './shell.module.css'

/** Opens the palette, and shows its shortcut. */
export function SearchButton() {
  return (
    <button type="button" className={styles.search} onClick={() => void openPalette()}>
      <IconSearch size={15} aria-hidden="true" />
      <span>Search or jump to…</span>
      <Kbd size="xs">{modKey} K</Kbd>
    </button>
  )
}

/** Go anywhere by name. */
export async function openPalette(): Promise<void> {
  const { openPalette: open } = await overlays.ready()
  open()
}
