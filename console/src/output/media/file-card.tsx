import { Button, Progress } from '@mantine/core'
import { IconDownload, IconFile, IconLayoutDashboard } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { notifyFailure } from '../../ui/notify.ts'
import { readBytes } from '../artifact/artifact-read.ts'
import type { ArtifactReference } from '../artifact/artifact-read.ts'
import { toSafeLine } from '../values/safe-text.ts'
import { saveFile } from './save-file.ts'
import { formatBytes } from '../../ui/format/format-bytes.ts'
import styles from './media.module.css'

interface FileCardProps {
  callId: string
  artifact: ArtifactReference
  name: string
  /** Load all of it and draw it. */
  onDraw?: () => void
}

/** A file that a call has kept: what it is, how large, and the way to have it. */
export function FileCard({ callId, artifact, name, onDraw }: FileCardProps) {
  const { done, start, cancel } = useDownload(callId, artifact)
  const isBusy = done !== undefined
  const percent = isBusy ? Math.round((done / Math.max(1, artifact.bytes)) * 100) : 0
  return (
    <div className={styles.file}>
      <IconFile size={20} stroke={1.5} aria-hidden="true" />
      <div>
        <p dir="auto">{toSafeLine(name)}</p>
        <p>{`${formatBytes(artifact.bytes)} · ${toSafeLine(artifact.mediaType)}`}</p>
      </div>
      {onDraw !== undefined && !isBusy && (
        <Button
          variant="default"
          leftSection={<IconLayoutDashboard size={16} stroke={1.6} />}
          onClick={onDraw}
        >
          Load all and draw
        </Button>
      )}
      {isBusy ? (
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.6} />}
          onClick={start}
        >
          Download
        </Button>
      )}
      {isBusy && (
        <Progress w="100%" size="sm" value={percent} aria-label={`Downloading, ${percent} %`} />
      )}
    </div>
  )
}

/** Reads a file whole and hands it to the browser to save; how far it is in bytes. */
function useDownload(callId: string, artifact: ArtifactReference) {
  const [done, setDone] = useState<number>()
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  async function run(signal: AbortSignal): Promise<void> {
    setDone(0)
    try {
      const pieces = await readBytes(callId, artifact, { signal, onProgress: setDone })
      // Saved as bytes regardless of its type: it is never opened as a page of ours.
      saveFile(pieces, {
        name: `${callId}${endingOf(artifact.mediaType)}`,
        type: 'application/octet-stream',
      })
    } catch (error) {
      if (!signal.aborted) notifyFailure(error)
    } finally {
      setDone(undefined)
    }
  }
  return {
    done,
    start() {
      stop.current = new AbortController()
      void run(stop.current.signal)
    },
    cancel: () => stop.current?.abort(),
  }
}

const endings: Record<string, string> = {
  'application/json': '.json',
  'text/plain': '.txt',
  'text/csv': '.csv',
  'text/markdown': '.md',
  'text/html': '.html.txt',
  'application/pdf': '.pdf',
  'application/zip': '.zip',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/gif': '.gif',
  'image/svg+xml': '.svg.txt',
  'audio/mpeg': '.mp3',
  'audio/wav': '.wav',
}

function endingOf(mediaType: string): string {
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return Object.hasOwn(endings, type) ? (endings[type] ?? '.bin') : '.bin'
}
