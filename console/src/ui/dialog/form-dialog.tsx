import { Button, Group, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { Refused } from '../refused.tsx'
import { GuardedModal } from './guarded-dialog.tsx'

interface FormDialogProps {
  title: string
  /** The verb of the button, such as "Save". */
  confirmLabel: string
  /** All that is needed has been typed. */
  isReady?: boolean
  isDangerous?: boolean
  /** The request, and the error of the last attempt. */
  task: { isPending: boolean; error: unknown; mutate: () => void }
  /** The error is already shown at its field. */
  isPlaced?: boolean
  onClose: () => void
  children: ReactNode
}

/** A dialog with a form: Enter sends it, and errors of the server are shown in place. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    confirmLabel,
    isReady = true,
    isDangerous = false,
    task,
    isPlaced = false,
    onClose,
  } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !task.isPending) task.mutate()
  }
  return (
    <GuardedModal opened onClose={onClose} title={title}>
      <form onSubmit={submit} autoComplete="off">
        <Stack>
          {props.children}
          {task.error !== null && !isPlaced && <Refused error={task.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={task.isPending}
              disabled={!isReady}
              {...(isDangerous && { color: 'red' })}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </GuardedModal>
  )
}
