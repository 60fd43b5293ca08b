import { syntaxTree } from '@codemirror/language'
import { RangeSetBuilder } from '@codemirror/state'
import { Decoration, ViewPlugin } from '@codemirror/view'
import type { DecorationSet, EditorView, ViewUpdate } from '@codemirror/view'
import styles from './json-editor.module.css'

const marks: Record<string, Decoration> = {
  PropertyName: Decoration.mark({ class: styles.key ?? '' }),
  String: Decoration.mark({ class: styles.string ?? '' }),
  Number: Decoration.mark({ class: styles.number ?? '' }),
  True: Decoration.mark({ class: styles.number ?? '' }),
  False: Decoration.mark({ class: styles.number ?? '' }),
  Null: Decoration.mark({ class: styles.number ?? '' }),
}

export const jsonColours = coloursOf(marks)

/** Colours for what is in view, from our own tokens: the editor's own styles know only one scheme. */
export function coloursOf(marks: Readonly<Record<string, Decoration>>) {
  return ViewPlugin.define(
    (view) => ({
      decorations: colour(view, marks),
      update(update: ViewUpdate) {
        const isOld = syntaxTree(update.startState) !== syntaxTree(update.state)
        if (update.docChanged || update.viewportChanged || isOld) {
          this.decorations = colour(update.view, marks)
        }
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  )
}

function colour(view: EditorView, marks: Readonly<Record<string, Decoration>>): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: ({ name, from, to }) => {
        const mark = Object.hasOwn(marks, name) ? marks[name] : undefined
        if (mark !== undefined) builder.add(from, to, mark)
      },
    })
  }
  return builder.finish()
}
