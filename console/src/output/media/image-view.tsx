import { useState } from 'react'
import { pixelsOf } from './image-size.ts'
import { formatBytes } from '../../ui/format/format-bytes.ts'
import { count } from '../values/labels.ts'
import styles from './media.module.css'
import output from '../output.module.css'

/** A picture of so many pixels takes half a gigabyte to draw: it is saved instead. */
const mostPixels = 60_000_000
const mostChars = 24_000_000

interface ImageViewProps {
  /** `data:` or `blob:`; nothing else is ever drawn. */
  address: string
  alt: string
  isInline?: boolean
}

/** A picture that came with the output. An SVG is drawn as an image: it runs no scripts. */
export function ImageView({ address, alt, isInline = false }: ImageViewProps) {
  const [isBroken, setBroken] = useState(false)
  const pixels = pixelsOf(address)
  if (address.length > mostChars || (pixels !== undefined && pixels > mostPixels)) {
    const size =
      pixels === undefined
        ? formatBytes(address.length)
        : count(Math.round(pixels / 1e6), 'megapixel')
    return <span className={output.note}>{`The picture is too large to show here (${size}).`}</span>
  }
  if (isBroken) return <span className={output.note}>{`The picture can't be read. ${alt}`}</span>
  return (
    <img
      className={styles.picture}
      data-inline={isInline || undefined}
      src={address}
      alt={alt === '' ? 'Picture without a description' : alt}
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
    />
  )
}
