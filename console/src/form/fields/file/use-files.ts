import { useEffect, useState } from 'react'
import { useForm } from '../../form-context.ts'
import type { Maybe } from '../../model/pointer.ts'
import type { SchemaObject } from '../../model/schema.ts'
import { maxFileBytes, readFile } from './read-file.ts'
import { useSendingFiles } from './use-sending-files.ts'
import type { SendingFile } from './use-sending-files.ts'
import type { PieceProps } from '../piece.ts'

/** The files of one field: those in the input, and those being uploaded. */
export interface FieldFiles {
  held: readonly string[]
  /** Names of files that were chosen here, by their text in the input. */
  names: ReadonlyMap<string, string>
  sending: readonly SendingFile[]
  take(files: readonly File[]): void
  remove(index: number): void
  /** Cancels an upload, or removes one that failed. */
  drop(key: number): void
  again(key: number): void
}

const noNames: ReadonlyMap<string, string> = new Map()

/** Small files are put into the input itself; larger ones are uploaded and referenced. */
export function useFiles(piece: PieceProps, shape: SchemaObject): FieldFiles {
  const { kind, value, pointer, set } = piece
  const { store } = useForm()
  const [names, setNames] = useState(noNames)
  const isMany = kind === 'files'
  const held = toList(value)
  const put = (text: string, name: string) => {
    setNames((before) => new Map([...before, [text, name]]))
    store.edit(pointer, (before: Maybe) => (isMany ? [...toList(before), text] : text))
  }
  const { sending, begin, drop, again } = useSendingFiles(put)
  const isUploading = sending.some(({ problem }) => problem === undefined)
  useEffect(() => {
    // A form must not be sent without a file that is still being uploaded.
    if (!isUploading) return
    store.noteText(pointer, 'Wait for the upload to finish, or cancel it')
    return () => store.noteText(pointer, undefined)
  }, [store, pointer, isUploading])
  return {
    held,
    names,
    sending,
    drop,
    again,
    take(given) {
      const files = isMany ? given : given.slice(0, 1)
      if (!isMany) for (const { key } of sending) drop(key)
      let freeBytes = maxFileBytes - (isMany ? held.join('').length * 0.75 : 0)
      void oneByOne(files, async (file) => {
        const text = file.size > 0 && file.size <= freeBytes ? await inline(file, shape) : undefined
        // A file that can't be read fails to upload as well, and the error is shown there.
        if (text === undefined) return begin(file)
        freeBytes -= file.size
        put(text, file.name)
      })
    },
    remove(index) {
      const rest = held.toSpliced(index, 1)
      if (isMany) set(rest.length === 0 && !piece.isRequired ? undefined : rest)
      else set(undefined)
    },
  }
}

function inline(file: File, shape: SchemaObject): Promise<string | undefined> {
  return readFile(file, shape).catch(() => undefined)
}

/** In order, continuing after one that failed. */
async function oneByOne(files: readonly File[], work: (file: File) => Promise<void>) {
  for (const file of files) await work(file)
}

function toList(value: Maybe): string[] {
  const all = Array.isArray(value) ? value : [value]
  return all.filter((text): text is string => typeof text === 'string' && text !== '')
}
