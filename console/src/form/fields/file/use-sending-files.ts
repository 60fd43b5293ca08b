import { useEffect, useRef, useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { uploadFile } from '../../../api/upload-file.ts'

/** A file that is being uploaded, or whose upload failed. */
export interface SendingFile {
  key: number
  file: File
  /** From 0 to 1. */
  part: number
  problem: string | undefined
}

let lastKey = 0

/** Uploads files, each with its progress; `onSent` gets the address of each one. */
export function useSendingFiles(onSent: (uri: string, name: string) => void) {
  const [sending, setSending] = useState<readonly SendingFile[]>([])
  const aborts = useRef(new Map<number, AbortController>())
  useEffect(() => abortAll(aborts.current), [])
  const change = (key: number, next: Partial<SendingFile>) =>
    setSending((all) => all.map((one) => (one.key === key ? { ...one, ...next } : one)))
  const forget = (key: number) => {
    aborts.current.delete(key)
    setSending((all) => all.filter((one) => one.key !== key))
  }
  const send = async (key: number, file: File) => {
    const abort = new AbortController()
    aborts.current.set(key, abort)
    const onProgress = (part: number) => change(key, { part })
    try {
      const { uri } = await uploadFile(file, { onProgress, signal: abort.signal })
      forget(key)
      onSent(uri, file.name)
    } catch (error) {
      if (abort.signal.aborted) return
      const { message, fix } = toProblem(error)
      change(key, { problem: fix === undefined ? message : `${message}. ${fix}` })
    }
  }
  return {
    sending,
    begin(file: File) {
      lastKey += 1
      const key = lastKey
      setSending((all) => [...all, { key, file, part: 0, problem: undefined }])
      return send(key, file)
    },
    drop(key: number) {
      aborts.current.get(key)?.abort()
      forget(key)
    },
    again(key: number) {
      const found = sending.find((one) => one.key === key)
      if (found === undefined) return
      change(key, { part: 0, problem: undefined })
      void send(key, found.file)
    },
  }
}

function abortAll(aborts: ReadonlyMap<number, AbortController>): () => void {
  return () => {
    for (const abort of aborts.values()) abort.abort()
  }
}
