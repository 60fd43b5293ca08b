import { Burger } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useMe } from '../api/me.ts'
import { liveEvents } from '../live/live-events.ts'
import { pauseWhenHidden } from '../live/pause-when-hidden.ts'
import { keepFresh } from '../live/stale-kinds.ts'
import { ApprovalNotices } from '../screens/first-steps/approval-notices.tsx'
import { AccountMenu } from './account-menu.tsx'
import { LiveMark } from './live-mark.tsx'
import { OverlayPlace } from './overlay-place.tsx'
import { SandboxMark } from './sandbox-mark.tsx'
import { SchemeButton } from './scheme-button.tsx'
import { SearchButton } from './search-button.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { Sidebar } from './sidebar.tsx'
import styles from './shell.module.css'

/** The frame around every screen. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const queryClient = useQueryClient()
  const { changesFrom } = useMe()
  // It was read before any data of a screen, so that all later events are reported.
  const start = useEffectEvent(() => liveEvents.start(changesFrom))
  useEffect(() => {
    start()
    const stopFresh = keepFresh(queryClient)
    const stopResting = pauseWhenHidden(queryClient)
    return () => {
      stopFresh()
      stopResting()
      liveEvents.stop()
    }
  }, [queryClient])
  return (
    <>
      <a href="#main" className={styles.skip}>
        Skip to the content
      </a>
      <div className={styles.navbar} data-open={isOpen || undefined}>
        <Sidebar onNavigate={close} isOpen={isOpen} />
      </div>
      <header className={styles.header}>
        <Burger
          opened={isOpen}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
        />
        <SearchButton />
        <span className={styles.spread} />
        <LiveMark />
        <SandboxMark />
        <SchemeButton />
        <AccountMenu />
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <Shortcuts />
      <OverlayPlace />
      <ApprovalNotices />
    </>
  )
}
