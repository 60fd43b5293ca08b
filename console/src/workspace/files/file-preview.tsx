import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { CodeView } from '../../output/lazy-drawings.ts'
import { Markdown } from '../../output/text/markdown.tsx'
import { toSafeLine } from '../../output/values/safe-text.ts'
import { formatBytes } from '../../ui/format/format-bytes.ts'
import { Loading } from '../../ui/loading.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { nameOf } from '../paths.ts'
import { download, fileAddress } from '../workspace-bytes.ts'
import { filePreviewQuery } from '../workspace-queries.ts'
import type { WorkspaceFile } from '../workspace-types.ts'
import { choosePreview, imageType } from './file-kind.ts'
import { Picture } from './picture.tsx'
import styles from './files.module.css'

interface FilePreviewProps {
  id: string
  file: WorkspaceFile
  onDelete: (() => void) | undefined
}

/** One file: its text, its picture, or what is known about it. */
export function FilePreview({ id, file, onDelete }: FilePreviewProps) {
  const name = nameOf(file.path)
  return (
    <section className={styles.preview} aria-label={`Preview of ${toSafeLine(name)}`}>
      <div className={styles.previewHead}>
        <div className={styles.previewTitle}>
          <h2 dir="auto">{toSafeLine(file.path)}</h2>
          <span>
            {file.kind === 'file' && `${formatBytes(file.bytes)} · `}
            changed <TimeAgo at={file.modifiedAt} />
          </span>
        </div>
        {file.kind === 'file' && <DownloadButton id={id} file={file} />}
        {onDelete !== undefined && (
          <Tooltip label="Delete">
            <ActionIcon aria-label={`Delete ${toSafeLine(name)}`} onClick={onDelete}>
              <IconTrash size={16} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {file.kind === 'file' ? (
        <Content id={id} file={file} />
      ) : (
        <p className={styles.said}>{others[file.kind]}</p>
      )}
    </section>
  )
}

const others = {
  file: '',
  folder: 'A folder. Files that are uploaded now are put into it.',
  link: 'A link. Links are not followed here.',
  other: 'Not a regular file, so there is nothing to show.',
}

function DownloadButton({ id, file }: { id: string; file: WorkspaceFile }) {
  const [isBusy, setBusy] = useState(false)
  async function start(): Promise<void> {
    setBusy(true)
    try {
      await download(fileAddress(id, file.path), { name: nameOf(file.path) })
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Tooltip label="Download">
      <ActionIcon
        aria-label={`Download ${toSafeLine(nameOf(file.path))}`}
        loading={isBusy}
        onClick={() => void start()}
      >
        <IconDownload size={16} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  )
}

function Content({ id, file }: { id: string; file: WorkspaceFile }) {
  const kind = choosePreview(file.path, file.bytes)
  const isShown = kind !== 'binary' && kind !== 'large'
  const query = useQuery({ ...filePreviewQuery(id, file), enabled: isShown })
  if (!isShown) return <NotShown kind={kind} />
  return (
    <QueryView query={query} loading={<Loading rows={6} height={20} />}>
      {({ blob, text }) => {
        if (kind === 'image') {
          return <Picture blob={blob} type={imageType(file.path)} name={nameOf(file.path)} />
        }
        if (text === undefined) return <NotShown kind="binary" />
        if (text === '') return <p className={styles.said}>The file is empty.</p>
        if (kind === 'markdown') return <Document text={text} path={file.path} />
        return <Source text={text} path={file.path} />
      }}
    </QueryView>
  )
}

function NotShown({ kind }: { kind: 'binary' | 'large' }) {
  return (
    <p className={styles.said}>
      {kind === 'binary'
        ? 'This file is not text. Download it to open it.'
        : 'This file is too large to show here. Download it to open it.'}
    </p>
  )
}

function Source({ text, path }: { text: string; path: string }) {
  return (
    <Suspense fallback={<Loading rows={6} height={20} />}>
      <CodeView text={text} label={toSafeLine(nameOf(path))} path={path} isNamed />
    </Suspense>
  )
}

function Document({ text, path }: { text: string; path: string }) {
  const [look, setLook] = useState<'read' | 'source'>('read')
  return (
    <>
      <SegmentedControl
        size="xs"
        className={styles.look}
        aria-label="Show the document as"
        value={look}
        onChange={(next) => setLook(next === 'source' ? 'source' : 'read')}
        data={[
          { value: 'read', label: 'Document' },
          { value: 'source', label: 'Source' },
        ]}
      />
      {look === 'read' ? (
        <div className={styles.document}>
          <Markdown text={text} hasImages={false} />
        </div>
      ) : (
        <Source text={text} path={path} />
      )}
    </>
  )
}
