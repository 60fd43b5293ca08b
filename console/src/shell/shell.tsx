import { AppShell, Burger } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { liveEvents } from '../live/live-events.ts'
import { keepFresh } from '../live/stale-kinds.ts'
import { ApprovalNotices } from '../screens/first-steps/approval-notices.tsx'
import { AccountMenu } from './account-menu.tsx'
import { frame } from './frame.ts'
import { LiveMark } from './live-mark.tsx'
import { Palette, SearchButton } from './palette.tsx'
import { SchemeButton } from './scheme-button.tsx'
import { SessionEnded } from './session-ended.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { Sidebar } from './sidebar.tsx'
import styles from './shell.module.css'

/** The frame around every screen. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const queryClient = useQueryClient()
  useEffect(() => {
    liveEvents.start()
    const stopFresh = keepFresh(queryClient)
    return () => {
      stopFresh()
      liveEvents.stop()
    }
  }, [queryClient])
  return (
    <AppShell {...frame} navbar={{ ...frame.navbar, collapsed: { mobile: !isOpen } }}>
      <a href="#main" className={styles.skip}>
        Skip to the content
      </a>
      <AppShell.Navbar>
        <Sidebar onNavigate={close} isOpen={isOpen} />
      </AppShell.Navbar>
      <AppShell.Header>
        <div className={styles.header}>
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
          <SchemeButton />
          <AccountMenu />
        </div>
      </AppShell.Header>
      <AppShell.Main id="main" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <Palette />
      <Shortcuts />
      <SessionEnded />
      <ApprovalNotices />
    </AppShell>
  )
}
