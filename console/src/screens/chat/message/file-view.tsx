import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconDownload, IconFile } from '@tabler/icons-react'
import { ask } from '../../../api/client.ts'
import { fromAnswer } from '../../../api/problem.ts'
import { Tag } from '../../../ui/tag.tsx'
import type { FilePart } from '../turn/message.ts'
import styles from './message.module.css'

const pictures = /^image\/(?:png|jpeg|gif|webp)$/

/** A file of a message. Images are shown from memory; nothing is fetched from elsewhere. */
export function FileView({ file }: { file: FilePart }) {
  const name = file.filename ?? 'File'
  const isOwn = file.url.startsWith('/api/v1/conversations/') || file.url.startsWith('data:')
  if (!isOwn) return <Tag>{name}</Tag>
  return pictures.test(file.mediaType) ? (
    <Picture file={file} name={name} />
  ) : (
    <Download file={file} name={name} />
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
