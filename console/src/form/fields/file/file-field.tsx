import { FileInput } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useDrop } from '../../../ui/use-drop.ts'
import { useForm } from '../../form-context.ts'
import { schemaOfItem } from '../../model/concrete.ts'
import { drawnAt, noPicks } from '../../model/drawn.ts'
import { textOf } from '../../model/schema.ts'
import type { SchemaObject } from '../../model/schema.ts'
import { FileRows } from './file-rows.tsx'
import styles from './files.module.css'
import { buttonProps } from '../piece.ts'
import type { PieceProps } from '../piece.ts'
import { useFiles } from './use-files.ts'

/** One file or several, chosen or dropped: small ones go inside of the input, larger ones are handed in. */
export function FileField(piece: PieceProps) {
  const { kind, isDisabled } = piece
  const shape = useFileShape(piece)
  const files = useFiles(piece, shape)
  const { isOver, dropProps } = useDrop(isDisabled, files.take)
  const accept = textOf(shape['contentMediaType'])
  const isFull = kind === 'file' && files.held.length + files.sending.length > 0
  return (
    <div className={styles.zone} data-over={isOver || undefined} {...dropProps}>
      <FileInput
        {...buttonProps(piece)}
        value={null}
        multiple={kind === 'files'}
        {...(accept !== undefined && { accept })}
        placeholder={
          isFull ? 'Choose another file, or drop it here' : 'Choose a file, or drop it here'
        }
        leftSection={<IconPaperclip size={16} stroke={1.6} aria-hidden="true" />}
        onChange={(chosen: File | File[] | null) => files.take([chosen ?? []].flat())}
      />
      <FileRows files={files} isDisabled={isDisabled} />
    </div>
  )
}

function useFileShape({ drawn, kind }: PieceProps): SchemaObject {
  const { model } = useForm().store
  if (kind === 'file') return drawn.schema
  const place = { value: undefined, pointer: '', picks: noPicks }
  return drawnAt(model, schemaOfItem(drawn.schema, 0), place).schema
}
