import { Button } from '@mantine/core'
import type { EditedDocument } from './use-document.ts'
import styles from '../studio.module.css'

/** Whether everything typed is kept. */
export function SaveStatus({ open }: { open: EditedDocument }) {
  const { state, problem, revision, flush } = open
  const words = {
    saved: revision === undefined ? 'No changes' : 'Draft saved',
    typing: 'Saving…',
    saving: 'Saving…',
    conflict: 'Not saved',
    failed: 'Not saved',
  }
  return (
    <output className={styles.state}>
      {words[state]}
      {state === 'failed' && (
        <>
          : {problem?.message}{' '}
          <Button variant="subtle" size="compact-xs" onClick={() => void flush()}>
            Try again
          </Button>
        </>
      )}
    </output>
  )
}
