/** In a file of its own: the editor and its lazily loaded view both need it. */
export interface SourceEditorProps {
  label: string
  text: string
  onChange(text: string): void
}
