import { Button, Group, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { notifySuccess, notifyFailure } from '../../../ui/notify.ts'

/** Your name, as others see it. */
export function NameForm({ name }: { name: string }) {
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState<string>()
  const save = useMutation({
    mutationFn: (wanted: string) => read(api.PATCH('/api/v1/account', { body: { name: wanted } })),
    async onSuccess() {
      notifySuccess('Name saved')
      await Promise.all(
        [['me'], ['sign-ins'], ['members']].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      )
      setTyped(undefined)
    },
    onError: notifyFailure,
  })
  if (typed === undefined) {
    return (
      <Group gap="xs">
        <span dir="auto">{name}</span>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => setTyped(name)}
          aria-label="Change your name"
        >
          Change
        </Button>
      </Group>
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(typed.trim())
      }}
    >
      <Group gap="xs">
        <TextInput
          aria-label="Name"
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          autoComplete="name"
          maxLength={100}
          ref={takeFocus}
        />
        <Button type="submit" loading={save.isPending} disabled={typed.trim() === ''}>
          Save
        </Button>
        <Button variant="default" onClick={() => setTyped(undefined)}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}

/** The pressed button disappears, so the focus moves to the field. */
function takeFocus(input: HTMLInputElement | null): void {
  input?.focus()
}
