import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput, StreamLanguage } from '@codemirror/language'
import { typescript } from '@codemirror/legacy-modes/mode/javascript'
import { EditorState } from '@codemirror/state'
import { Decoration, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import { coloursOf } from '../../../ui/json-editor/json-colours.ts'
import type { SourceEditorProps } from './source-editor-props.ts'
import styles from './spec.module.css'

const mark = (name: string | undefined) => Decoration.mark({ class: name ?? '' })
const codeColours = coloursOf({
  keyword: mark(styles.keyword),
  string: mark(styles.string),
  string2: mark(styles.string),
  number: mark(styles.number),
  atom: mark(styles.number),
  comment: mark(styles.comment),
})

const editing = [
  StreamLanguage.define(typescript),
  codeColours,
  lineNumbers(),
  history(),
  bracketMatching(),
  indentOnInput(),
  EditorView.lineWrapping,
  EditorView.theme({ '.cm-content': { minHeight: '200px' } }),
  // Tab leaves the editor, as it leaves every other field.
  keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap]),
]

/** The editor itself, which brings CodeMirror along. */
export function SourceEditorView({ label, text, onChange }: SourceEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const report = useEffectEvent((typed: string) => onChange(typed))
  const begin = useEffectEvent((parent: HTMLElement) => {
    const extensions = [
      ...editing,
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) report(state.doc.toString())
      }),
    ]
    return new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) })
  })
  useEffect(() => {
    if (host.current === null) return
    const made = begin(host.current)
    view.current = made
    return () => {
      made.destroy()
      view.current = null
    }
  }, [])
  useEffect(() => {
    const { current } = view
    if (current === null || current.state.doc.toString() === text) return
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } })
  }, [text])
  return <div ref={host} className={styles.source} />
}
