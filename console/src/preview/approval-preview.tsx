import type { Api } from '../api/client.ts'
import { TimeAgo } from '../ui/time.tsx'
import { PreviewView } from './preview-view.tsx'
import styles from './preview.module.css'

/** The changes that the call to approve would make, and whether they have changed since an approval. */
export function ApprovalPreview({ preview }: { preview: Api<'ApprovalPreview'> | undefined }) {
  if (preview === undefined) return null
  const { at, summary, changes = [], binds, previous, error } = preview
  return (
    <section className={styles.panel} aria-label="Preview">
      <div className={styles.head}>
        <strong>Preview</strong>
        <span>
          made <TimeAgo at={at} />
          {binds && ' · runs only if it is still the same'}
        </span>
      </div>
      {previous !== undefined && (
        <p className={styles.changed} role="alert">
          This has changed since it was approved. The call was not made, and needs approval again.
        </p>
      )}
      {summary === undefined ? (
        <p className={styles.none}>The preview is unavailable{error && `: ${error.message}`}</p>
      ) : (
        <PreviewView preview={{ ...preview, summary, changes }} />
      )}
      {previous !== undefined && (
        <details className={styles.previous}>
          <summary>What was approved</summary>
          <div>
            <PreviewView preview={previous} />
          </div>
        </details>
      )}
    </section>
  )
}
