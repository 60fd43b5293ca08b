import { ActionIcon, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { Suspense, useCallback, useState } from 'react'
import { createPortal } from 'react-dom'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import styles from '../chat.module.css'

const SessionFiles = lazyPart(
  async () => (await import('../../../workspace/session-files.tsx')).SessionFiles,
)

interface FilesPanelProps {
  conversation: string
  onClose: () => void
}

/** The files of a conversation: beside it where there is room, otherwise over it. */
export function FilesPanel({ conversation, onClose }: FilesPanelProps) {
  const isWide = useMediaQuery('(min-width: 80em)', undefined, { getInitialValueInEffect: false })
  // One element that moves between both: what is open and selected in it, and uploads, go on.
  const [home] = useState(() => document.createElement('div'))
  const take = useCallback((place: HTMLElement | null) => place?.append(home), [home])
  const files = createPortal(
    <Suspense fallback={<Loading rows={5} height={30} />}>
      <SessionFiles sessionId={conversation} />
    </Suspense>,
    home,
  )
  return (
    <>
      {isWide ? (
        <aside className={styles.files} aria-label="Files">
          <div className={styles.filesHead}>
            <h2>Files</h2>
            <ActionIcon aria-label="Close files" onClick={onClose}>
              <IconX size={16} stroke={1.6} />
            </ActionIcon>
          </div>
          <div ref={take} />
        </aside>
      ) : (
        <Drawer opened onClose={onClose} position="right" size={640} title="Files">
          <div ref={take} />
        </Drawer>
      )}
      {files}
    </>
  )
}
