import { Suspense } from 'react'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { SourceEditorProps } from './source-editor-props.ts'
import styles from './spec.module.css'

const View = lazyPart(async () => (await import('./source-editor-view.tsx')).SourceEditorView)

/** An editor for code. It loads when the first one is drawn. */
export function SourceEditor(props: SourceEditorProps) {
  return (
    <Suspense fallback={<div className={styles.source} aria-busy="true" />}>
      <View {...props} />
    </Suspense>
  )
}
