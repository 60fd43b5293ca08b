import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { QueryView } from '../../ui/query-view.tsx'
import { Loading } from '../../ui/loading.tsx'
import { readBytes } from './artifact-read.ts'
import type { ArtifactReference } from './artifact-read.ts'
import { AudioView } from '../media/audio-view.tsx'
import { FileCard } from '../media/file-card.tsx'
import { ImageView } from '../media/image-view.tsx'
import styles from '../media/media.module.css'

const mostBytes = 20_971_520

interface ArtifactMediaProps {
  callId: string
  artifact: ArtifactReference
  label: string
}

/** A picture or a sound that a call has kept. */
export function ArtifactMedia({ callId, artifact, label }: ArtifactMediaProps) {
  const query = useQuery({
    queryKey: ['artifact', callId, artifact.id, 'bytes'],
    queryFn: async ({ signal }) =>
      new Blob(await readBytes(callId, artifact, { signal }), { type: artifact.mediaType }),
    staleTime: Infinity,
    gcTime: 30_000,
    structuralSharing: false,
    enabled: artifact.bytes <= mostBytes,
  })
  if (artifact.bytes > mostBytes) {
    return <FileCard callId={callId} artifact={artifact} name={label} />
  }
  return (
    <QueryView query={query} loading={<Loading rows={1} height={120} />}>
      {(blob) => (
        <div className={styles.media}>
          <BlobMedia blob={blob} label={label} />
          <FileCard callId={callId} artifact={artifact} name={label} />
        </div>
      )}
    </QueryView>
  )
}

function BlobMedia({ blob, label }: { blob: Blob; label: string }) {
  const address = useBlobAddress(blob)
  if (blob.type.startsWith('audio/')) {
    return <AudioView address={address} label={label} />
  }
  return <ImageView address={address} alt={label} />
}

/** An address for bytes in this tab, given back when they are no longer shown. */
function useBlobAddress(blob: Blob): string {
  const address = useMemo(() => URL.createObjectURL(blob), [blob])
  useEffect(() => () => URL.revokeObjectURL(address), [address])
  return address
}
