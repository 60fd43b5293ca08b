import { useState } from 'react'
import { kept } from '../../../api/storage.ts'
import type { Part } from '../turn/message.ts'
import { toAttachments, toFilePart } from './attachments.ts'
import type { Attachment } from './attachments.ts'

/** A message while it is written: kept on this device for its conversation until it is sent. */
export function useDraft(place: string, say: string | undefined) {
  const name = `chat.draft.${place}`
  const [text, set] = useState(() => say ?? kept.read(name) ?? '')
  const [attachments, setAttachments] = useState<readonly Attachment[]>([])
  const [refused, setRefused] = useState<readonly string[]>([])
  const setText = (next: string) => {
    set(next)
    if (next === '') kept.remove(name)
    else kept.write(name, next)
  }
  return {
    text,
    setText,
    attachments,
    refused,
    isEmpty: text.trim() === '' && attachments.length === 0,
    attach(files: readonly File[]) {
      if (files.length === 0) return
      const result = toAttachments(files, attachments.length)
      setAttachments([...attachments, ...result.taken])
      setRefused(result.refused)
    },
    detach: (id: string) => setAttachments(attachments.filter((one) => one.id !== id)),
    /** What is sent; the composer is empty then. */
    async take(): Promise<Part[]> {
      const files = await Promise.all(attachments.map(toFilePart))
      setText('')
      setAttachments([])
      setRefused([])
      return [...files, ...(text.trim() === '' ? [] : [{ type: 'text', text }])]
    },
    /** It was not taken: what was written is back, before what was written since. */
    giveBack() {
      kept.write(name, text)
      set((now) => (now.trim() === '' ? text : `${text}\n${now}`))
      setAttachments((now) => [...attachments, ...now])
    },
  }
}
