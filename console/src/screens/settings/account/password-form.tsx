import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { toProblem } from '../../../api/problem.ts'
import { Refused } from '../../../ui/refused.tsx'
import { Panel } from '../../../ui/page.tsx'
import { notifySuccess } from '../../../ui/notify.ts'
import styles from '../settings.module.css'

interface Draft {
  email: string
  current: string
  password: string
}

const blank: Draft = { email: '', current: '', password: '' }

/** Sets or changes your password. */
export function PasswordForm({ account }: { account: Api<'Account'> }) {
  const [draft, setDraft] = useState(blank)
  const save = useSave(account, () => setDraft(blank))
  const problem = save.isError ? toProblem(save.error) : undefined
  const faultAt = (field: keyof Draft) =>
    problem?.issues.find(({ pointer }) => pointer === `/${field}`)?.message
  const isPlaced = (['email', 'current', 'password'] as const).some(
    (field) => faultAt(field) !== undefined,
  )
  return (
    <Panel
      title={account.hasPassword ? 'Password' : 'Set a password'}
      description={
        account.hasPassword
          ? 'Changing it signs you out everywhere else.'
          : 'You signed in with a link. With a password you can sign in without one.'
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(draft)
        }}
      >
        <PasswordFields
          account={account}
          draft={draft}
          set={(change) => setDraft((before) => ({ ...before, ...change }))}
          faultAt={faultAt}
        />
        {problem !== undefined && !isPlaced && <Refused error={problem} />}
        <div>
          <Button type="submit" loading={save.isPending} disabled={draft.password === ''}>
            Save password
          </Button>
        </div>
      </form>
    </Panel>
  )
}

interface PasswordFieldsProps {
  account: Api<'Account'>
  draft: Draft
  set: (change: Partial<Draft>) => void
  faultAt: (field: keyof Draft) => string | undefined
}

function PasswordFields({ account, draft, set, faultAt }: PasswordFieldsProps) {
  return (
    <>
      {account.member.email === undefined ? (
        <TextInput
          type="email"
          label="Email address"
          description="Used to sign in."
          value={draft.email}
          onChange={({ currentTarget: { value } }) => set({ email: value })}
          autoComplete="username"
          error={faultAt('email')}
          required
        />
      ) : (
        // Tells password managers which account the password belongs to.
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={account.member.email}
          readOnly
          hidden
        />
      )}
      {account.needsPassword && (
        <PasswordInput
          label="Current password"
          value={draft.current}
          onChange={({ currentTarget: { value } }) => set({ current: value })}
          autoComplete="current-password"
          error={faultAt('current')}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the current password' }}
          required
        />
      )}
      <PasswordInput
        label="New password"
        description="At least 10 characters."
        value={draft.password}
        onChange={({ currentTarget: { value } }) => set({ password: value })}
        autoComplete="new-password"
        error={faultAt('password')}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the new password' }}
        required
      />
    </>
  )
}

function useSave({ member, needsPassword }: Api<'Account'>, onSaved: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ password, current, email }: Draft) =>
      read(
        api.PUT('/api/v1/account/password', {
          body: {
            password,
            ...(needsPassword && { current }),
            ...(member.email === undefined && { email: email.trim() }),
          },
        }),
      ),
    async onSuccess() {
      notifySuccess('Password saved. You were signed out everywhere else.')
      onSaved()
      await queryClient.invalidateQueries({ queryKey: ['sign-ins'] })
      await queryClient.invalidateQueries({ queryKey: ['me'] })
    },
  })
}
