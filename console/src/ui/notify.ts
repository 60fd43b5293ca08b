import { notifications } from '@mantine/notifications'
import { toProblem } from '../api/problem.ts'
import { overlays } from './dialog/overlays.ts'
import type { Question } from './dialog/overlays.ts'

const closeButtonProps = { 'aria-label': 'Dismiss' }

/** Shows that an action succeeded. */
export function notifySuccess(message: string): void {
  notifications.show({ message, autoClose: 4000, withBorder: true, closeButtonProps })
}

/** Shows why an action failed, long enough to be read. */
export function notifyFailure(thrown: unknown): void {
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

/** Asks for confirmation before something irreversible. */
export async function confirm(question: Question): Promise<boolean> {
  const { ask } = await overlays.ready()
  return ask(question)
}
