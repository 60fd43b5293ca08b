import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import type { FormEvent } from 'react'
import { api, read } from '../api/client.ts'
import { meQuery, useMe } from '../api/me.ts'
import type { Me } from '../api/me.ts'
import { toProblem } from '../api/problem.ts'
import { session } from '../api/session.ts'
import { Refused } from '../ui/refused.tsx'
import { liveEvents } from '../live/live-events.ts'

/**
 * Mantine closes whatever dialog is open on Escape, also the one below with all that was typed into it. An
 * element with this attribute handles the key itself.
 */
const keepsEscape = { 'data-mantine-stop-propagation': 'true' }

/** The session is over. Nothing on the screen is lost: people sign in over it and continue. */
export function SessionEnded() {
  const hasEnded = useSyncExternalStore(session.subscribe, session.hasEnded)
  return (
    <Modal
      opened={hasEnded}
      onClose={() => session.resume()}
      title="You are signed out"
      closeButtonProps={{ 'aria-label': 'Not now', ...keepsEscape }}
      // Above every drawer and dialog that may be open.
      zIndex={500}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {hasEnded && <SignInAgain />}
    </Modal>
  )
}

function SignInAgain() {
  const me = useMe()
  const queryClient = useQueryClient()
  const goOn = (now: Me) => resumeAs(me, now, queryClient)
  useReturn(goOn)
  return (
    <Stack>
      <Text size="sm">
        Your session has ended. What you typed is still here: sign in to continue.
      </Text>
      {me.email !== undefined && <PasswordAgain me={me} email={me.email} onBack={goOn} />}
      <Group>
        <Button
          component="a"
          href={signInAddress(me)}
          target="_blank"
          variant={me.email === undefined ? 'filled' : 'default'}
          {...keepsEscape}
        >
          {me.email === undefined ? 'Open the sign-in page' : 'Another way to sign in'}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        It opens in a new tab. Come back here when you are signed in.
      </Text>
    </Stack>
  )
}

interface PasswordAgainProps {
  me: Me
  email: string
  onBack: (now: Me) => Promise<void>
}

function PasswordAgain({ me, email, onBack }: PasswordAgainProps) {
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    async mutationFn() {
      const tenant = me.home ?? me.tenant
      await read(api.POST('/api/v1/sign-in', { body: { tenant, email, password } }))
      await onBack(await read(api.GET('/api/v1/me')))
    },
  })
  const problem = signIn.isError ? toProblem(signIn.error) : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Email address"
          value={email}
          readOnly
          autoComplete="username"
          {...keepsEscape}
        />
        <PasswordInput
          label="Password"
          value={password}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          data-autofocus
          {...keepsEscape}
        />
        {problem !== undefined && <Refused error={problem} />}
        <Button
          type="submit"
          loading={signIn.isPending}
          disabled={password === ''}
          {...keepsEscape}
        >
          Sign in
        </Button>
      </Stack>
    </form>
  )
}

function signInAddress({ home, tenant }: Me): string {
  return `/sign-in?next=%2Ftools&tenant=${encodeURIComponent(home ?? tenant)}`
}

/** Somebody has signed in elsewhere and comes back to this tab: look whether it is good again. */
function useReturn(onBack: (now: Me) => Promise<void>): void {
  const look = useEffectEvent(async () => {
    if (document.visibilityState !== 'visible') return
    try {
      await onBack(await read(api.GET('/api/v1/me')))
    } catch {
      // Still signed out, or nobody answers: the dialog stays.
    }
  })
  useEffect(() => {
    const listener = () => void look()
    window.addEventListener('focus', listener)
    document.addEventListener('visibilitychange', listener)
    return () => {
      window.removeEventListener('focus', listener)
      document.removeEventListener('visibilitychange', listener)
    }
  }, [])
}

/** Continues where it stopped: failed requests are sent again, and the stream is reopened. */
async function resumeAs(before: Me, now: Me, queryClient: QueryClient): Promise<void> {
  // The screen shows another person's data.
  if (before.principal.id !== now.principal.id || before.tenant !== now.tenant) {
    window.location.reload()
    return
  }
  session.resume()
  queryClient.setQueryData(meQuery.queryKey, now)
  liveEvents.stop()
  liveEvents.start()
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
}
