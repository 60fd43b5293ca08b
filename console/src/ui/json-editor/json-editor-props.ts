/** In a file of its own: the editor and its lazily loaded view both need it. */
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
