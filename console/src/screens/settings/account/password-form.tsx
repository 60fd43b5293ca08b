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

/** One's password: a first one, or another. */
export function PasswordForm({ account }: { account: Api<'Account'> }) {
  const queryClient = useQueryClient()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [email, setEmail] = useState('')
  const needsEmail = account.member.email === undefined
  const save = useMutation({
    mutationFn: () =>
      read(
        api.PUT('/api/v1/account/password', {
          body: {
            password,
            ...(account.needsPassword && { current }),
            ...(needsEmail && { email: email.trim() }),
          },
        }),
      ),
    async onSuccess() {
      notifySuccess('Password saved. All other sessions ended.')
      setCurrent('')
      setPassword('')
      await queryClient.invalidateQueries({ queryKey: ['sessions'] })
      await queryClient.invalidateQueries({ queryKey: ['me'] })
    },
  })
  const problem = save.isError ? toProblem(save.error) : undefined
  const fault = (field: string) =>
    problem?.issues.find(({ pointer }) => pointer === `/${field}`)?.message
  const isPlaced = ['email', 'current', 'password'].some((field) => fault(field) !== undefined)
  return (
    <Panel
      title={account.hasPassword ? 'Password' : 'Set a password'}
      description={
        account.hasPassword
          ? 'Changing it ends all your other sessions.'
          : 'You came by a link. With a password you can sign in again without one.'
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        {needsEmail ? (
          <TextInput
            type="email"
            label="Email address"
            description="Used to sign in."
            value={email}
            onChange={({ currentTarget: { value } }) => setEmail(value)}
            autoComplete="username"
            error={fault('email')}
            required
          />
        ) : (
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
            value={current}
            onChange={({ currentTarget: { value } }) => setCurrent(value)}
            autoComplete="current-password"
            error={fault('current')}
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the current password' }}
            required
          />
        )}
        <PasswordInput
          label="New password"
          description="10 characters or more."
          value={password}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
          autoComplete="new-password"
          error={fault('password')}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the new password' }}
          required
        />
        {problem !== undefined && !isPlaced && <Refused error={problem} />}
        <div>
          <Button type="submit" loading={save.isPending} disabled={password === ''}>
            Save password
          </Button>
        </div>
      </form>
    </Panel>
  )
}
