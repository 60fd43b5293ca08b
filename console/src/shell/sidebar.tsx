import { Burger } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMe } from '../api/me.ts'
import { FirstStepsPlace } from '../screens/first-steps/first-steps-place.tsx'
import { Tag } from '../ui/tag.tsx'
import { isOffered, managePlaces, peoplePlaces } from './places.ts'
import type { Place } from './places.ts'
import { useBadges } from './use-badges.ts'
import type { BadgeFacts } from './use-badges.ts'
import styles from './shell.module.css'

interface SidebarProps {
  onNavigate: () => void
  isOpen: boolean
}

/** Where one can go: what people use, and what operators manage. */
export function Sidebar({ onNavigate, isOpen }: SidebarProps) {
  const me = useMe()
  const badges = useBadges()
  const itemsOf = (some: readonly Place[]) =>
    some.filter((place) => isOffered(place, me.permissions)).map(toItem)
  const toItem = (place: Place) => (
    <li key={place.to}>
      <Link to={place.to} className={styles.link} onClick={onNavigate}>
        <place.icon size={16} stroke={1.6} aria-hidden="true" />
        <span>{place.label}</span>
        <Badge badge={badges[place.to]} />
      </Link>
    </li>
  )
  return (
    <nav className={styles.side} aria-label="Main">
      <div className={styles.top}>
        <Link to="/" className={styles.brand} onClick={onNavigate}>
          <img src="/assets/toolcrib.svg" width="20" height="20" alt="" />
          Toolcrib
        </Link>
        <Burger
          opened={isOpen}
          onClick={onNavigate}
          hiddenFrom="sm"
          size="sm"
          aria-label="Close the menu"
        />
      </div>
      <p className={styles.group}>Use</p>
      <ul className={styles.list}>{itemsOf(peoplePlaces)}</ul>
      <p className={styles.group}>Manage</p>
      <ul className={styles.list}>{itemsOf(managePlaces)}</ul>
      <FirstStepsPlace onNavigate={onNavigate} />
    </nav>
  )
}

function Badge({ badge }: { badge: BadgeFacts | undefined }) {
  if (badge === undefined || badge.count === 0) return null
  return (
    <Tag tone={badge.tone} title={badge.words}>
      {badge.count > 99 ? '99+' : badge.count}
      <span className="visually-hidden"> {badge.words}</span>
    </Tag>
  )
}
