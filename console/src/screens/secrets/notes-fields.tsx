import { Textarea, TextInput } from '@mantine/core'
import { toMoment, warnDays } from './expiry.ts'

/** What is noted of a secret, while it is typed. */
export interface NotesDraft {
  description: string
  /** The last day it is good, or nothing. */
  until: string
}

interface NotesFieldsProps {
  draft: NotesDraft
  onChange: (change: Partial<NotesDraft>) => void
  error?: string | undefined
}

/** What a secret is for, and until when its value is good. Shown to people, so never the value. */
export function NotesFields({ draft, onChange, error }: NotesFieldsProps) {
  return (
    <>
      <Textarea
        label="What it is for"
        description="Where it comes from, who to ask. Everybody who sees this list reads it."
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
        label="Good until"
        description={`The last day its value works where it comes from. You are warned ${warnDays} days before; nothing here stops using it.`}
        value={draft.until}
        onChange={({ currentTarget }) => onChange({ until: currentTarget.value })}
        max="9999-12-31"
      />
    </>
  )
}

/** As the server takes them: what is empty is taken away. */
export function toNotes({ description, until }: NotesDraft) {
  return { description: description.trim() || null, expiresAt: toMoment(until) }
}
