import { Suspense } from 'react'
import { late } from './late.tsx'
import styles from './json-editor.module.css'

export interface JsonEditorProps {
  id?: string
  label: string
  text: string
  onChange(text: string): void
  isDisabled?: boolean
  minLines?: number
  maxHeight?: number
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
  'aria-required'?: boolean | undefined
}

const Editor = late(async () => (await import('./json-editor-view.tsx')).JsonEditorView)

/** An editor for JSON: loads when the first one is drawn. It is its own until another text is given. */
export function JsonEditor(props: JsonEditorProps) {
  const height = (props.minLines ?? 8) * 18 + 16
  return (
    <Suspense fallback={<div className={styles.editor} style={{ height }} aria-busy="true" />}>
      <Editor {...props} />
    </Suspense>
  )
}
