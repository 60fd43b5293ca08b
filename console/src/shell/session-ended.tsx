import { Button, Modal, Stack, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { session } from '../api/session.ts'

/** The session is over. Nothing on the screen is lost: sign in, and go on. */
export function SessionEnded() {
  const hasEnded = useSyncExternalStore(session.subscribe, session.hasEnded)
  const here = window.location.pathname + window.location.search
  return (
    <Modal
      opened={hasEnded}
      onClose={() => session.resume()}
      title="You are signed out"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Text size="sm">Your session has ended. What you typed is kept on this device.</Text>
        <Button component="a" href={`/sign-in?next=${encodeURIComponent(here)}`}>
          Sign in again
        </Button>
      </Stack>
    </Modal>
  )
}
