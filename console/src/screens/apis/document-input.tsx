import { FileInput, SegmentedControl, Textarea, TextInput } from '@mantine/core'

/** Where a document comes from, while it is chosen. */
export interface DocumentDraft {
  from: 'url' | 'file' | 'text'
  url: string
  file: File | null
  text: string
}

export const blankDocument: DocumentDraft = { from: 'url', url: '', file: null, text: '' }

interface DocumentInputProps {
  draft: DocumentDraft
  set: (change: Partial<DocumentDraft>) => void
  /** One that is read again from elsewhere. */
  withoutUrl?: boolean
}

/** A document by its address, as a file, or pasted. */
export function DocumentInput({ draft, set, withoutUrl = false }: DocumentInputProps) {
  const ways = [
    ...(withoutUrl ? [] : [{ value: 'url', label: 'URL' }]),
    { value: 'file', label: 'File' },
    { value: 'text', label: 'Paste' },
  ]
  return (
    <>
      <SegmentedControl
        aria-label="Source of the document"
        value={draft.from}
        onChange={(from) => set({ from: from as DocumentDraft['from'] })}
        data={ways}
      />
      {draft.from === 'url' && (
        <TextInput
          label="Document URL"
          description="An OpenAPI 3 or Swagger 2 document, in JSON or YAML"
          placeholder="https://api.example.com/openapi.json"
          required
          value={draft.url}
          onChange={({ currentTarget }) => set({ url: currentTarget.value })}
        />
      )}
      {draft.from === 'file' && (
        <FileInput
          label="Document"
          description="JSON or YAML, up to 20 MB"
          placeholder="Choose a file"
          required
          clearable
          value={draft.file}
          onChange={(file) => set({ file })}
        />
      )}
      {draft.from === 'text' && (
        <Textarea
          label="Document"
          description="JSON or YAML"
          required
          autosize
          minRows={6}
          maxRows={14}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={draft.text}
          onChange={({ currentTarget }) => set({ text: currentTarget.value })}
        />
      )}
    </>
  )
}

/** True once there is something to read. */
export function isWhole({ from, url, file, text }: DocumentDraft): boolean {
  if (from === 'url') return url.trim() !== ''
  return from === 'file' ? file !== null : text.trim() !== ''
}
