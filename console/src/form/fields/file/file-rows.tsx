import { ActionIcon, Button, Progress } from '@mantine/core'
import { IconFile, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, read } from '../../../api/client.ts'
import { uploadIdOf } from '../../model/upload-uri.ts'
import { formatBytes } from '../../../ui/format/format-bytes.ts'
import { describeFile } from './read-file.ts'
import type { FieldFiles } from './use-files.ts'
import type { SendingFile } from './use-sending-files.ts'
import styles from './files.module.css'

interface FileRowsProps {
  files: FieldFiles
  isDisabled: boolean
}

/** The files of a field, one a row: those that are there, then those on their way. */
export function FileRows({ files, isDisabled }: FileRowsProps) {
  const { held, names, sending } = files
  if (held.length + sending.length === 0) return null
  return (
    <ul className={styles.rows}>
      {held.map((text, index) => (
        <HeldRow
          key={`${index} ${text.slice(0, 60)}`}
          text={text}
          name={names.get(text)}
          remove={isDisabled ? undefined : () => files.remove(index)}
        />
      ))}
      {sending.map((one) => (
        <SendingRow key={one.key} one={one} files={files} />
      ))}
    </ul>
  )
}

interface HeldRowProps {
  text: string
  name: string | undefined
  remove: (() => void) | undefined
}

function HeldRow({ text, name, remove }: HeldRowProps) {
  const id = uploadIdOf(text)
  const { data, isError } = useQuery({
    queryKey: ['upload', id],
    queryFn: () => read(api.GET('/api/v1/uploads/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
    staleTime: Infinity,
    retry: false,
  })
  const shown = name ?? data?.name ?? 'File'
  const facts =
    id === undefined ? describeFile(text) : data && `${data.mediaType}, ${formatBytes(data.bytes)}`
  return (
    <Row>
      <div className={styles.text}>
        <span className={styles.name} dir="auto">
          {shown}
        </span>
        <span className={isError ? styles.problem : styles.size}>
          {isError ? 'No longer stored. Choose it again.' : facts}
        </span>
      </div>
      {remove !== undefined && <Remove label={`Remove ${shown}`} onClick={remove} />}
    </Row>
  )
}

function SendingRow({ one, files }: { one: SendingFile; files: FieldFiles }) {
  const { key, file, part, problem } = one
  const percent = Math.round(part * 100)
  return (
    <Row>
      <div className={styles.text}>
        <span className={styles.name} dir="auto">
          {file.name}
        </span>
        <span className={styles.size}>{formatBytes(file.size)}</span>
        {problem === undefined ? (
          <>
            <output className={styles.size}>{percent < 100 ? `${percent} %` : 'Storing…'}</output>
            <Progress.Root size="sm" className={styles.bar}>
              <Progress.Section value={percent} aria-label={`Sending ${file.name}`} />
            </Progress.Root>
          </>
        ) : (
          <span role="alert" className={styles.problem}>
            {problem}
          </span>
        )}
      </div>
      {problem === undefined ? (
        <Button variant="subtle" size="compact-xs" onClick={() => files.drop(key)}>
          Cancel
        </Button>
      ) : (
        <>
          <Button variant="subtle" size="compact-xs" onClick={() => files.again(key)}>
            Try again
          </Button>
          <Remove label={`Remove ${file.name}`} onClick={() => files.drop(key)} />
        </>
      )}
    </Row>
  )
}

function Row({ children }: { children: ReactNode }) {
  return (
    <li className={styles.row}>
      <IconFile size={16} stroke={1.6} aria-hidden="true" className={styles.icon} />
      {children}
    </li>
  )
}

function Remove({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} onClick={onClick}>
      <IconX size={14} stroke={1.6} aria-hidden="true" />
    </ActionIcon>
  )
}
