import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput, StreamLanguage } from '@codemirror/language'
import { typescript } from '@codemirror/legacy-modes/mode/javascript'
import { Decoration, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { coloursOf } from '../../../ui/json-editor/json-colours.ts'
import { useEditorView } from '../../../ui/json-editor/use-editor-view.ts'
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
  const { host } = useEditorView({
    text,
    onChange,
    extensions: () => [
      ...editing,
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    ],
  })
  return <div ref={host} className={styles.source} />
}
