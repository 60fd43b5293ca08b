import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import { useDisclosure } from '@mantine/hooks'
import { modals, ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { spotlight } from '@mantine/spotlight'
import { useEffect } from 'react'
import { overlays } from '../ui/dialog/overlays.ts'
import type { Question } from '../ui/dialog/overlays.ts'
import { KeysHelp } from './keys-help.tsx'
import { Palette } from './palette.tsx'
import { SessionEnded } from './session-ended.tsx'

/** All that can lie over a screen; loaded late, together. */
export function OverlaySet() {
  const [isHelpOpen, { open: showKeys, close }] = useDisclosure()
  // After those of the parts below: by then they listen.
  useEffect(() => {
    overlays.arrive({ openPalette: () => spotlight.open(), showKeys, ask })
    return () => overlays.leave()
  }, [showKeys])
  return (
    <>
      <ModalsProvider>{null}</ModalsProvider>
      <Notifications position="bottom-right" />
      <Palette />
      <KeysHelp isOpen={isHelpOpen} close={close} />
      <SessionEnded />
    </>
  )
}

function ask(question: Question): Promise<boolean> {
  const { title, message, confirmLabel, cancelLabel = 'Cancel', isDangerous = false } = question
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: message,
      labels: { confirm: confirmLabel, cancel: cancelLabel },
      confirmProps: isDangerous ? { color: 'red' } : {},
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    })
  })
}
