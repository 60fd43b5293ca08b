import { Suspense } from 'react'
import { lazyPart } from '../lazy-part.tsx'
import type { JsonEditorProps } from './json-editor-props.ts'
import styles from './json-editor.module.css'

const Editor = lazyPart(async () => (await import('./json-editor-view.tsx')).JsonEditorView)

/** An editor for JSON: loads when the first one is drawn. It is its own until another text is given. */
export function JsonEditor(props: JsonEditorProps) {
  const height = (props.minLines ?? 8) * 18 + 16
  return (
    <Suspense fallback={<div className={styles.editor} style={{ height }} aria-busy="true" />}>
      <Editor {...props} />
    </Suspense>
  )
}
