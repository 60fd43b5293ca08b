import { useEffect, useRef, useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { uploadFile } from '../../../api/upload-file.ts'
import { useForm } from '../../form-context.ts'
import type { Maybe } from '../../model/pointer.ts'
import type { SchemaObject } from '../../model/schema.ts'
import { maxFileBytes, readFile } from './read-file.ts'
import type { PieceProps } from '../piece.ts'

/** A file on its way to the server. */
export interface SendingFile {
  key: number
  file: File
  /** From 0 to 1. */
  part: number
  problem: string | undefined
}

/** The files of one field: those that the input holds, and those on their way into it. */
export interface FieldFiles {
  held: readonly string[]
  /** What files were called that were chosen here, by their text in the input. */
  names: ReadonlyMap<string, string>
  sending: readonly SendingFile[]
  take(files: readonly File[]): void
  remove(index: number): void
  /** Stops one that is on its way, or takes one away that failed. */
  drop(key: number): void
  again(key: number): void
}

const noNames: ReadonlyMap<string, string> = new Map()
let made = 0

/** Small files go inside of the input, larger ones are handed in and named there. */
export function useFiles(piece: PieceProps, shape: SchemaObject): FieldFiles {
  const { kind, value, pointer, set } = piece
  const { store } = useForm()
  const [names, setNames] = useState(noNames)
  const [sending, setSending] = useState<readonly SendingFile[]>([])
  const stops = useRef(new Map<number, AbortController>())
  const isMany = kind === 'files'
  const held = toList(value)
  useEffect(() => stopAll(stops.current), [])
  const isComing = sending.some(({ problem }) => problem === undefined)
  useEffect(() => {
    // A form must not be sent without a file that is on its way.
    if (!isComing) return
    store.noteText(pointer, 'Wait until the file is there, or cancel it')
    return () => store.noteText(pointer, undefined)
  }, [store, pointer, isComing])

  const change = (key: number, next: Partial<SendingFile>) =>
    setSending((all) => all.map((one) => (one.key === key ? { ...one, ...next } : one)))
  const forget = (key: number) => {
    stops.current.delete(key)
    setSending((all) => all.filter((one) => one.key !== key))
  }
  const put = (text: string, name: string) => {
    setNames((before) => new Map([...before, [text, name]]))
    store.edit(pointer, (before: Maybe) => (isMany ? [...toList(before), text] : text))
  }
  const send = async (key: number, file: File) => {
    const stop = new AbortController()
    stops.current.set(key, stop)
    const onProgress = (part: number) => change(key, { part })
    try {
      const { uri } = await uploadFile(file, { onProgress, signal: stop.signal })
      forget(key)
      put(uri, file.name)
    } catch (error) {
      if (stop.signal.aborted) return
      const { message, fix } = toProblem(error)
      change(key, { problem: fix === undefined ? message : `${message}. ${fix}` })
    }
  }
  const begin = (file: File) => {
    made += 1
    const key = made
    setSending((all) => [...all, { key, file, part: 0, problem: undefined }])
    return send(key, file)
  }
  const drop = (key: number) => {
    stops.current.get(key)?.abort()
    forget(key)
  }
  return {
    held,
    names,
    sending,
    drop,
    take(given) {
      const files = isMany ? given : given.slice(0, 1)
      if (!isMany) for (const { key } of sending) drop(key)
      let room = maxFileBytes - (isMany ? held.join('').length * 0.75 : 0)
      void oneByOne(files, async (file) => {
        const text = file.size > 0 && file.size <= room ? await inline(file, shape) : undefined
        // What can't be read fails on its way as well, and says so there.
        if (text === undefined) return begin(file)
        room -= file.size
        put(text, file.name)
      })
    },
    remove(index) {
      const rest = held.toSpliced(index, 1)
      if (isMany) set(rest.length === 0 && !piece.isRequired ? undefined : rest)
      else set(undefined)
    },
    again(key) {
      const found = sending.find((one) => one.key === key)
      if (found === undefined) return
      change(key, { part: 0, problem: undefined })
      void send(key, found.file)
    },
  }
}

function inline(file: File, shape: SchemaObject): Promise<string | undefined> {
  return readFile(file, shape).catch(() => undefined)
}

/** In their order, and the next also where one has failed. */
async function oneByOne(files: readonly File[], work: (file: File) => Promise<void>) {
  for (const file of files) await work(file)
}

function stopAll(stops: ReadonlyMap<number, AbortController>): () => void {
  return () => {
    for (const stop of stops.values()) stop.abort()
  }
}

function toList(value: Maybe): string[] {
  const all = Array.isArray(value) ? value : [value]
  return all.filter((text): text is string => typeof text === 'string' && text !== '')
}
