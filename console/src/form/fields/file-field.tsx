import { FileInput, Pill } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useState } from 'react'
import { useForm } from '../form-context.ts'
import { schemaOfItem } from '../model/concrete.ts'
import { drawnAt, noPicks } from '../model/drawn.ts'
import { textOf } from '../model/schema.ts'
import type { SchemaObject } from '../model/schema.ts'
import styles from '../form.module.css'
import { maxFileBytes, readFile, sayBytes, sayFile } from './read-file.ts'
import { buttonProps } from './piece.ts'
import type { PieceProps } from './piece.ts'

/** One file or several, sent inside of the input. */
export function FileField(piece: PieceProps) {
  const { kind, value, set } = piece
  const [problem, setProblem] = useState<string>()
  const shape = useFileShape(piece)
  const held = toList(value)
  const take = async (files: readonly File[]) => {
    const isMany = kind === 'files'
    const room = maxFileBytes - (isMany ? held.join('').length * 0.75 : 0)
    const total = files.reduce((sum, { size }) => sum + size, 0)
    if (total > room) {
      setProblem(
        `${files[0]?.name ?? 'It'} has ${sayBytes(total)}; a call carries files of ${sayBytes(maxFileBytes)} in all. Give the tool a smaller file, or an address to read it from.`,
      )
      return
    }
    setProblem(undefined)
    const texts = await Promise.all(files.map((file) => readFile(file, shape)))
    if (isMany) set([...held, ...texts])
    else set(texts[0])
  }
  const remove = (index: number) => {
    const rest = held.toSpliced(index, 1)
    if (kind === 'files') set(rest.length === 0 && !piece.isRequired ? undefined : rest)
    else set(undefined)
  }
  const accept = textOf(shape['contentMediaType'])
  return (
    <div className={styles.files}>
      <FileInput
        {...buttonProps({ ...piece, error: problem ?? piece.error })}
        value={null}
        multiple={kind === 'files'}
        {...(accept !== undefined && { accept })}
        placeholder={held.length > 0 && kind === 'file' ? 'Choose another file' : 'Choose a file'}
        leftSection={<IconPaperclip size={16} stroke={1.6} aria-hidden="true" />}
        onChange={(chosen: File | File[] | null) => {
          const files = [chosen ?? []].flat()
          if (files.length > 0) void take(files).catch(() => setProblem('The file can’t be read.'))
        }}
      />
      {held.length > 0 && (
        <div className={styles.fileList}>
          {held.map((text, index) => (
            <Pill
              key={index}
              withRemoveButton={!piece.isDisabled}
              onRemove={() => remove(index)}
              removeButtonProps={{
                'aria-label': `Remove file ${index + 1}`,
                'aria-hidden': false,
                tabIndex: 0,
              }}
            >
              {sayFile(text)}
            </Pill>
          ))}
        </div>
      )}
    </div>
  )
}

function toList(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value]
  return all.filter((text) => typeof text === 'string' && text !== '')
}

function useFileShape({ drawn, kind }: PieceProps): SchemaObject {
  const { model } = useForm().store
  if (kind === 'file') return drawn.schema
  const place = { value: undefined, pointer: '', picks: noPicks }
  return drawnAt(model, schemaOfItem(drawn.schema, 0), place).schema
}
