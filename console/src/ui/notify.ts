import { notifications } from '@mantine/notifications'
import { toProblem } from '../api/problem.ts'
import { overlays } from './dialog/overlays.ts'
import type { Question } from './dialog/overlays.ts'

const closeButtonProps = { 'aria-label': 'Dismiss' }

/** Says that something was done. */
export function notifySuccess(message: string): void {
  notifications.show({ message, autoClose: 4000, withBorder: true, closeButtonProps })
}

/** Says what went wrong with something that was pressed; it stays until it is read. */
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

/** Asks before something that can't be taken back. */
export async function confirm(question: Question): Promise<boolean> {
  const { ask } = await overlays.ready()
  return ask(question)
}
