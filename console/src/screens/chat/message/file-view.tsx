import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconDownload, IconFile, IconFolderPlus } from '@tabler/icons-react'
import { api, ask, read } from '../../../api/client.ts'
import { useCan } from '../../../api/me.ts'
import { fromAnswer } from '../../../api/problem.ts'
import { toSafeLine } from '../../../output/values/safe-text.ts'
import { notifyFailure, notifySuccess } from '../../../ui/notify.ts'
import { Tag } from '../../../ui/tag.tsx'
import type { FilePart } from '../turn/message.ts'
import styles from './message.module.css'

const pictures = /^image\/(?:png|jpeg|gif|webp)$/

/** A file of a message. Images are shown from memory; nothing is fetched from elsewhere. */
export function FileView({ file }: { file: FilePart }) {
  const name = file.filename ?? 'File'
  const isOwn = file.url.startsWith('/api/v1/conversations/') || file.url.startsWith('data:')
  if (!isOwn) return <Tag>{name}</Tag>
  return (
    <span className={styles.attachment}>
      {pictures.test(file.mediaType) ? (
        <Picture file={file} name={name} />
      ) : (
        <Download file={file} name={name} />
      )}
      <CopyToFiles file={file} name={name} />
    </span>
  )
}

const stored = /^\/api\/v1\/conversations\/([^/]+)\/files\/([^/]+)$/

/** Puts the file into the workspace of the conversation, where the tools of the agent find it. */
function CopyToFiles({ file, name }: FileProps) {
  const queryClient = useQueryClient()
  const mayCall = useCan('tools.call')
  const copy = useMutation({
    mutationFn: ([id, fileId]: readonly [string, string]) =>
      read(
        api.POST('/api/v1/conversations/{id}/files/{file}/copy', {
          params: { path: { id, file: fileId } },
          body: {},
        }),
      ),
    onSuccess: ({ path }) => notifySuccess(`Copied to ${toSafeLine(path)}`),
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['workspaces'] }),
  })
  const [, id, fileId] = stored.exec(file.url) ?? []
  if (!mayCall || id === undefined || fileId === undefined) return null
  return (
    <Tooltip label="Copy to files">
      <ActionIcon
        variant="default"
        aria-label={`Copy ${toSafeLine(name)} to files`}
        loading={copy.isPending}
        onClick={() => copy.mutate([id, fileId])}
      >
        <IconFolderPlus size={15} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  )
}

interface FileProps {
  file: FilePart
  name: string
}

function Picture({ file, name }: FileProps) {
  const { data } = useQuery({
    queryKey: ['conversation-file', file.url],
    queryFn: () => readFile(file),
    staleTime: Infinity,
    gcTime: 60_000,
  })
  if (data === undefined) return <Tag>{name}</Tag>
  return (
    <figure className={styles.picture}>
      <img alt={name} title={name} ref={(image) => show(image, data)} />
    </figure>
  )
}

/** Creates an object URL for the image while it is on screen, and revokes it afterwards. */
function show(image: HTMLImageElement | null, blob: Blob): () => void {
  const address = URL.createObjectURL(blob)
  if (image !== null) image.src = address
  return () => URL.revokeObjectURL(address)
}

function Download({ file, name }: FileProps) {
  async function save() {
    const blob = await readFile(file)
    const address = URL.createObjectURL(blob)
    const link = document.createElement('a')
    link.href = address
    link.download = name
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconFile size={15} stroke={1.6} />}
      rightSection={<IconDownload size={14} stroke={1.6} />}
      onClick={() => void save()}
    >
      {name}
    </Button>
  )
}

async function readFile({ url, mediaType }: FilePart): Promise<Blob> {
  if (url.startsWith('data:')) return fromDataUrl(url, mediaType)
  const response = await ask(new Request(url))
  if (!response.ok) throw fromAnswer(undefined, response)
  return new Blob([await response.arrayBuffer()], { type: mediaType })
}

/** Decoded here: the page's content security policy forbids fetching data: URLs. */
function fromDataUrl(url: string, type: string): Blob {
  const text = atob(url.slice(url.indexOf(',') + 1))
  return new Blob([Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)], { type })
}
