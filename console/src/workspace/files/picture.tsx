import { useEffect, useMemo } from 'react'
import { ImageView } from '../../output/media/image-view.tsx'

interface PictureProps {
  blob: Blob
  type: string
  name: string
}

/** A picture of a workspace, drawn as an image: an SVG runs no scripts there. */
export function Picture({ blob, type, name }: PictureProps) {
  const address = useMemo(() => URL.createObjectURL(new Blob([blob], { type })), [blob, type])
  useEffect(() => () => URL.revokeObjectURL(address), [address])
  return <ImageView address={address} alt={name} />
}
