import { Link } from '@tanstack/react-router'
import { IconClock, IconPinFilled } from '@tabler/icons-react'
import { usePinnedTools, useRecentTools } from './kept-tools.ts'
import styles from './tools.module.css'

/** Pinned tools, and those viewed last. */
export function AtHand() {
  const pinned = usePinnedTools()
  const names = new Set(pinned.map(({ name }) => name))
  const recent = useRecentTools().filter(({ name }) => !names.has(name))
  if (pinned.length === 0 && recent.length === 0) return null
  return (
    <nav className={styles.atHand} aria-label="Pinned and recent tools">
      {pinned.map(({ name, title }) => (
        <Link key={name} to="/tools/$name" params={{ name }} className={styles.chip} title={name}>
          <IconPinFilled size={12} aria-label="Pinned" />
          <span dir="auto">{title}</span>
        </Link>
      ))}
      {recent.map(({ name, title }) => (
        <Link key={name} to="/tools/$name" params={{ name }} className={styles.chip} title={name}>
          <IconClock size={13} stroke={1.6} aria-label="Recent" />
          <span dir="auto">{title}</span>
        </Link>
      ))}
    </nav>
  )
}
