import { Textarea, TextInput } from '@mantine/core'
import { toMoment, warnDays } from './expiry.ts'

/** The description and expiry of a secret while they are edited. */
export interface NotesDraft {
  description: string
  /** The last valid day, or empty. */
  until: string
}

interface NotesFieldsProps {
  draft: NotesDraft
  onChange: (change: Partial<NotesDraft>) => void
  error?: string | undefined
}

/** What a secret is for, and until when it is valid. Shown to people, so never the value. */
export function NotesFields({ draft, onChange, error }: NotesFieldsProps) {
  return (
    <>
      <Textarea
        label="Description"
        description="Where it comes from and who to ask. Visible to everyone who can see this list."
        value={draft.description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={500}
        dir="auto"
        error={error}
      />
      <TextInput
        type="date"
        label="Expires"
        description={`The last day the value is valid. You get a warning ${warnDays} days before. The value is still used afterwards.`}
        value={draft.until}
        onChange={({ currentTarget }) => onChange({ until: currentTarget.value })}
        max="9999-12-31"
      />
    </>
  )
}

/** The fields as the API takes them; an empty field is removed. */
export function toNotes({ description, until }: NotesDraft) {
  return { description: description.trim() || null, expiresAt: toMoment(until) }
}
