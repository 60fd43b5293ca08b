import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { toProblem } from '../api/problem.ts'

const closeButtonProps = { 'aria-label': 'Dismiss' }

/** Says that something was done. */
export function sayDone(message: string): void {
  notifications.show({ message, autoClose: 4000, withBorder: true, closeButtonProps })
}

/** Says what went wrong with something that was pressed; it stays until it is read. */
export function sayFailed(thrown: unknown): void {
  const { message, fix, code } = toProblem(thrown)
  notifications.show({
    title: message,
    message: fix ?? code,
    color: 'red',
    autoClose: 10_000,
    withBorder: true,
    closeButtonProps,
  })
}

interface Question {
  title: string
  /** What follows from a yes. */
  message: string
  /** The verb of the button, such as "Delete". */
  yes: string
  /** The other one, where it says more than "Cancel". */
  no?: string
  isDangerous?: boolean
}

/** Asks before something that can't be taken back. */
export function confirm(question: Question): Promise<boolean> {
  const { title, message, yes, no = 'Cancel', isDangerous = false } = question
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: message,
      labels: { confirm: yes, cancel: no },
      closeButtonProps: { 'aria-label': 'Close' },
      confirmProps: isDangerous ? { color: 'red' } : {},
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    })
  })
}
