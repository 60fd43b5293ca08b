import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { linter } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { jsonColours } from './json-colours.ts'
import type { JsonEditorProps } from './json-editor-props.ts'
import { useEditorView } from './use-editor-view.ts'
import styles from './json-editor.module.css'

/** The editor itself, which brings CodeMirror along. */
export function JsonEditorView(props: JsonEditorProps) {
  const { text, isDisabled = false, minLines = 8, maxHeight = 480 } = props
  const writable = useRef(new Compartment())
  const named = useRef(new Compartment())
  const attributes = attributesOf(props)
  const { host, view } = useEditorView({
    text,
    onChange: props.onChange,
    extensions: () => [
      ...editing,
      EditorView.theme({
        '&': { maxHeight: `${maxHeight}px` },
        '.cm-content': { minHeight: `${minLines * 18 + 16}px` },
      }),
      writable.current.of(mayWrite(!isDisabled)),
      named.current.of(EditorView.contentAttributes.of(attributes)),
    ],
  })
  useEffect(() => {
    view.current?.dispatch({ effects: writable.current.reconfigure(mayWrite(!isDisabled)) })
  }, [isDisabled, view, writable])
  const attributeText = JSON.stringify(attributes)
  useEffect(() => {
    const attributes = JSON.parse(attributeText) as Record<string, string>
    const effects = named.current.reconfigure(EditorView.contentAttributes.of(attributes))
    view.current?.dispatch({ effects })
  }, [attributeText, view, named])
  return (
    <div
      ref={host}
      className={styles.editor}
      data-disabled={isDisabled || undefined}
      data-invalid={props['aria-invalid'] === true || undefined}
    />
  )
}

function mayWrite(isOn: boolean) {
  return [EditorView.editable.of(isOn), EditorState.readOnly.of(!isOn)]
}

const lintJson = jsonParseLinter()

/** Empty text is valid: it means no value. */
function lintText(view: EditorView) {
  return view.state.doc.toString().trim() === '' ? [] : lintJson(view)
}

/** Extensions of every editor, independent of its props. */
const editing = [
  json(),
  jsonColours,
  lineNumbers(),
  history(),
  bracketMatching(),
  indentOnInput(),
  linter(lintText, { delay: 400 }),
  EditorView.lineWrapping,
  // Tab leaves the editor, as it leaves every other field.
  keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap]),
]

function attributesOf(props: JsonEditorProps): Record<string, string> {
  const attributes: Record<string, string> = { 'aria-label': props.label, tabindex: '0' }
  if (props.id !== undefined) attributes['id'] = props.id
  if (props['aria-describedby'] !== undefined) {
    attributes['aria-describedby'] = props['aria-describedby']
  }
  if (props['aria-invalid'] === true) attributes['aria-invalid'] = 'true'
  if (props['aria-required'] === true) attributes['aria-required'] = 'true'
  return attributes
}
