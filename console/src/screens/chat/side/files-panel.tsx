import { ActionIcon, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { Suspense } from 'react'
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
  const files = (
    <Suspense fallback={<Loading rows={5} height={30} />}>
      <SessionFiles sessionId={conversation} />
    </Suspense>
  )
  if (isWide) {
    return (
      <aside className={styles.files} aria-label="Files">
        <div className={styles.filesHead}>
          <h2>Files</h2>
          <ActionIcon aria-label="Close files" onClick={onClose}>
            <IconX size={16} stroke={1.6} />
          </ActionIcon>
        </div>
        {files}
      </aside>
    )
  }
  return (
    <Drawer opened onClose={onClose} position="right" size={640} title="Files">
      {files}
    </Drawer>
  )
}
