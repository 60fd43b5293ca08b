import { Annotation, EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'

/** Marks a text set from outside, which must not be reported as typed. */
const fromOutside = Annotation.define<true>()

interface EditorOptions {
  text: string
  onChange: (typed: string) => void
  /** Asked once, when the editor is made. */
  extensions: () => Extension[]
}

/** An editor of CodeMirror in the element of `host`, which follows `text`. */
export function useEditorView({ text, onChange, extensions }: EditorOptions) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const report = useEffectEvent(onChange)
  const begin = useEffectEvent((parent: HTMLElement) => {
    const listener = EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      const isOurs = transactions.some((one) => one.annotation(fromOutside))
      if (docChanged && !isOurs) report(state.doc.toString())
    })
    const state = EditorState.create({ doc: text, extensions: [...extensions(), listener] })
    return new EditorView({ parent, state })
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
    current.dispatch({
      changes: { from: 0, to: current.state.doc.length, insert: text },
      annotations: fromOutside.of(true),
    })
  }, [text])
  return { host, view }
}
