import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { ArtifactMedia } from './artifact-media.tsx'
import { ArtifactPages } from './artifact-pages.tsx'
import { readText } from './artifact-read.ts'
import type { ArtifactReference } from './artifact-read.ts'
import { FileCard } from '../media/file-card.tsx'
import { OutputView } from '../output-view.tsx'
import { TextBlock } from '../text/text-block.tsx'
import media from '../media/media.module.css'
import styles from '../output.module.css'

interface ArtifactViewProps {
  callId: string
  artifact: ArtifactReference
  tool?: Api<'ToolDetail'> | undefined
}

/** Up to here it is loaded and drawn without asking; beyond, its text comes in pages. */
const drawnAtOnce = 2_097_152
/** Beyond this a browser should not be asked to hold it. */
const drawnAtAll = 67_108_864

/** An output that was too large to be sent whole, or a file that a worker sent. */
export function ArtifactView({ callId, artifact, tool }: ArtifactViewProps) {
  const [isWhole, setWhole] = useState(artifact.bytes <= drawnAtOnce)
  const kind = kindOf(artifact.mediaType)
  if (kind === 'image' || kind === 'audio') {
    return <ArtifactMedia callId={callId} artifact={artifact} label="Output" />
  }
  if (kind === 'file') {
    return (
      <div className={styles.box}>
        <FileCard callId={callId} artifact={artifact} name={artifact.id} />
      </div>
    )
  }
  if (isWhole && kind === 'json') {
    return <WholeJson callId={callId} artifact={artifact} tool={tool} />
  }
  return (
    <div className={media.blocks}>
      <div className={styles.box}>
        <FileCard
          callId={callId}
          artifact={artifact}
          name="The output is too large to send at once"
          {...(kind === 'json' && artifact.bytes <= drawnAtAll && { onDraw: () => setWhole(true) })}
        />
      </div>
      <ArtifactPages callId={callId} artifact={artifact} isJson={kind === 'json'} />
    </div>
  )
}

function WholeJson({ callId, artifact, tool }: ArtifactViewProps) {
  const query = useQuery({
    // Not a kind that events make stale: what was kept never changes.
    queryKey: ['artifact', callId, artifact.id, 'whole'],
    queryFn: async ({ signal }) => toValue(await readText(callId, artifact, { signal })),
    staleTime: Infinity,
    gcTime: 30_000,
    structuralSharing: false,
  })
  return (
    <QueryView query={query}>
      {(read) => (
        <div className={media.blocks}>
          <div className={styles.box}>
            <FileCard callId={callId} artifact={artifact} name="The whole output" />
          </div>
          {'value' in read ? (
            <OutputView value={read.value} tool={tool} callId={callId} />
          ) : (
            <TextBlock text={read.text} label="Output" isMono />
          )}
        </div>
      )}
    </QueryView>
  )
}

function toValue(text: string): { value: JsonValue } | { text: string } {
  try {
    return { value: JSON.parse(text) as JsonValue }
  } catch {
    return { text }
  }
}

function kindOf(mediaType: string): 'json' | 'text' | 'image' | 'audio' | 'file' {
  const type = mediaType.toLowerCase()
  if (/^application\/(?:[\w.+-]+\+)?json\b/.test(type)) return 'json'
  if (/^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)\b/.test(type)) return 'image'
  if (type.startsWith('audio/')) return 'audio'
  return type.startsWith('text/') ? 'text' : 'file'
}
