import { useBlocker } from '@tanstack/react-router'
import { confirm } from '../notify.ts'

/** While something on a page is not saved, going elsewhere asks first; so does closing the tab. */
export function useUnsaved(isUnsaved: boolean): void {
  useBlocker({
    disabled: !isUnsaved,
    enableBeforeUnload: isUnsaved,
    shouldBlockFn: async () =>
      !(await confirm({
        title: 'Leave without saving?',
        message: 'Your changes are not saved yet.',
        confirmLabel: 'Leave',
        cancelLabel: 'Keep editing',
        isDangerous: true,
      })),
  })
}
