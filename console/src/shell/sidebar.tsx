import { Burger } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, read } from '../api/client.ts'
import { useCan, useMe } from '../api/me.ts'
import { usePollMs } from '../live/use-live.ts'
import { FirstStepsPlace } from '../screens/first-steps/first-steps-place.tsx'
import { Tag } from '../ui/tag.tsx'
import { isOffered, managePlaces, peoplePlaces } from './places.ts'
import type { Place } from './places.ts'
import styles from './shell.module.css'

interface SidebarProps {
  onNavigate: () => void
  isOpen: boolean
}

/** Where one can go: what people use, and what operators manage. */
export function Sidebar({ onNavigate, isOpen }: SidebarProps) {
  const me = useMe()
  const waiting = useWaitingApprovals()
  const itemsOf = (some: readonly Place[]) =>
    some.filter((place) => isOffered(place, me.permissions)).map(toItem)
  const toItem = (place: Place) => (
    <li key={place.to}>
      <Link to={place.to} className={styles.link} onClick={onNavigate}>
        <place.icon size={16} stroke={1.6} aria-hidden="true" />
        <span>{place.label}</span>
        {place.to === '/approvals' && waiting > 0 && (
          <Tag tone="ask">
            {waiting > 99 ? '99+' : waiting}
            <span className="visually-hidden"> waiting</span>
          </Tag>
        )}
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

function useWaitingApprovals(): number {
  const mayDecide = useCan('approvals.decide')
  const refetchInterval = usePollMs()
  const { data } = useQuery({
    queryKey: ['approvals', 'waiting'],
    queryFn: () =>
      read(api.GET('/api/v1/approvals', { params: { query: { status: 'pending', limit: 100 } } })),
    enabled: mayDecide,
    refetchInterval,
  })
  return data?.items.length ?? 0
}
