import { useState } from 'react'
import { kept } from '../../../api/storage.ts'
import type { Part } from '../turn/message.ts'
import { toAttachments, toFilePart } from './attachments.ts'
import type { Attachment } from './attachments.ts'

/** A message draft, kept on this device per conversation until it is sent. */
export function useDraft(place: string, prompt: string | undefined) {
  const name = `chat.draft.${place}`
  const [text, set] = useState(() => prompt ?? kept.read(name) ?? '')
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
    /** Takes the parts to send and empties the composer. */
    async take(): Promise<Part[]> {
      const files = await Promise.all(attachments.map(toFilePart))
      setText('')
      setAttachments([])
      setRefused([])
      return [...files, ...(text.trim() === '' ? [] : [{ type: 'text', text }])]
    },
    /** Puts back a message that was refused, before any text typed since. */
    giveBack() {
      kept.write(name, text)
      set((now) => (now.trim() === '' ? text : `${text}\n${now}`))
      setAttachments((now) => [...attachments, ...now])
    },
  }
}
