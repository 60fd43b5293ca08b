import type { ReactNode } from 'react'
import type { JsonObject, JsonValue } from '../../api/json.ts'
import { Tag } from '../../ui/tag.tsx'
import { ArtifactMedia } from '../artifact/artifact-media.tsx'
import type { ArtifactReference } from '../artifact/artifact-read.ts'
import { AudioView } from './audio-view.tsx'
import { FileCard } from './file-card.tsx'
import { ImageView } from './image-view.tsx'
import { JsonTree } from '../json/json-tree.tsx'
import { Markdown } from '../text/markdown.tsx'
import { toSafeAddress, toSafeLine } from '../values/safe-text.ts'
import { isPicture, isSound } from '../shape.ts'
import { TextBlock } from '../text/text-block.tsx'
import { SafeLink } from '../text/value-text.tsx'
import { isObject } from '../values/view-types.ts'
import { formatBytes } from '../../ui/format/format-bytes.ts'
import media from './media.module.css'
import styles from '../output.module.css'

const mostBlocks = 100

interface ContentBlocksProps {
  blocks: readonly JsonValue[]
  callId: string | undefined
}

/** Rich output: texts, pictures, sound, files and links, in their order. */
export function ContentBlocks({ blocks, callId }: ContentBlocksProps) {
  const shown = blocks.slice(0, mostBlocks)
  const labels = toBlockLabels(shown)
  return (
    <div className={media.blocks}>
      {shown.map((block, index) => (
        <div key={index} className={`${styles.box} ${media.block}`}>
          {isForModels(block) && (
            <Tag title="Meant for the model, not for people">For the model</Tag>
          )}
          {drawBlock(block, { callId, label: labels[index] ?? '' })}
        </div>
      ))}
      {shown.length < blocks.length && (
        <p className={styles.note}>{`${blocks.length - shown.length} more are in the JSON.`}</p>
      )}
    </div>
  )
}

const nouns: Readonly<Record<string, string>> = {
  text: 'Text',
  image: 'Image',
  audio: 'Recording',
  resource: 'File',
  resource_link: 'Link',
}

/** The name of each block: its own title or name, else its kind, numbered where there are several. */
function toBlockLabels(blocks: readonly JsonValue[]): string[] {
  const kinds = blocks.map((block) => {
    const type = isObject(block) ? textOf(block['type']) : ''
    return nouns[type] ?? 'Data'
  })
  return blocks.map((block, index) => {
    const own = isObject(block) ? textOf(block['title']) || textOf(block['name']) : ''
    const kind = kinds[index] ?? 'Data'
    const isOnly = kinds.indexOf(kind) === kinds.lastIndexOf(kind)
    const place = kinds.slice(0, index + 1).filter((one) => one === kind).length
    return toSafeLine(own) || (isOnly ? kind : `${kind} ${place}`)
  })
}

function isForModels(block: JsonValue): boolean {
  const annotations = isObject(block) ? block['annotations'] : undefined
  const audience = isObject(annotations) ? annotations['audience'] : undefined
  return Array.isArray(audience) && audience.length > 0 && !audience.includes('user')
}

interface Drawing {
  callId: string | undefined
  label: string
}

function drawBlock(block: JsonValue, drawing: Drawing): ReactNode {
  if (!isObject(block)) return <JsonTree value={block} label={drawing.label} />
  const { type } = block
  if (type === 'text') return drawText(textOf(block['text']), 'text/plain', drawing)
  if (type === 'image' || type === 'audio') {
    return drawBytes(block, { ...drawing, base64: textOf(block['data']) })
  }
  if (type === 'resource_link') return <ResourceLink block={block} />
  const { resource } = block
  if (type !== 'resource' || !isObject(resource)) {
    return <JsonTree value={block} label={drawing.label} />
  }
  return <Resource resource={resource} drawing={drawing} />
}

/** How a text is drawn: as markdown where it is declared, as a tree where it is JSON, else as plain text. */
function drawText(text: string, mimeType: string, { label }: Drawing): ReactNode {
  if (mimeType.startsWith('text/markdown')) return <Markdown text={text} />
  const value = parseJson(text)
  if (value !== undefined) return <JsonTree value={value} label={label} />
  return <TextBlock text={text} label={label} isMono={mimeType !== 'text/plain'} />
}

/** Servers often send JSON as text. */
function parseJson(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text) || text.length > 2_000_000) return undefined
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

function drawBytes(
  block: JsonObject,
  { callId, label, base64 }: Drawing & { base64: string },
): ReactNode {
  const mimeType = textOf(block['mimeType'])
  const kept = keptIn(block)
  if (kept !== undefined && callId !== undefined) {
    const isMedia = /^(?:image|audio)\//.test(mimeType)
    const artifact = { ...kept, mediaType: mimeType === '' ? kept.mediaType : mimeType }
    if (isMedia) return <ArtifactMedia callId={callId} artifact={artifact} label={label} />
    return <FileCard callId={callId} artifact={artifact} name={textOf(block['uri']) || label} />
  }
  const address = `data:${mimeType};base64,${base64}`
  if (base64 !== '' && isPicture(address)) return <ImageView address={address} alt={label} />
  if (base64 !== '' && isSound(address)) {
    return <AudioView address={address} label={label} />
  }
  const size = formatBytes(Math.round((base64.length * 3) / 4))
  return (
    <p
      className={styles.note}
    >{`A file of ${size}, ${toSafeLine(mimeType) || 'of no known kind'}`}</p>
  )
}

function keptIn(block: JsonObject): ArtifactReference | undefined {
  const kept = block['$artifact']
  if (!isObject(kept)) return undefined
  const { id, bytes, mediaType } = kept
  if (typeof id !== 'string' || typeof bytes !== 'number') return undefined
  return { id, bytes, mediaType: typeof mediaType === 'string' ? mediaType : '' }
}

function Resource({ resource, drawing }: { resource: JsonObject; drawing: Drawing }) {
  const uri = textOf(resource['uri'])
  const { text, blob } = resource
  return (
    <>
      <p className={media.where}>
        <Address uri={uri} />
      </p>
      {typeof text === 'string'
        ? drawText(text, textOf(resource['mimeType']) || 'text/plain', drawing)
        : drawBytes(resource, { ...drawing, base64: textOf(blob) })}
    </>
  )
}

function ResourceLink({ block }: { block: JsonObject }) {
  const description = textOf(block['description'])
  const facts = [
    textOf(block['mimeType']),
    typeof block['size'] === 'number' ? formatBytes(block['size']) : '',
  ].filter(Boolean)
  return (
    <>
      <strong dir="auto">{toSafeLine(textOf(block['title']) || textOf(block['name']))}</strong>
      {description !== '' && <p className={styles.note}>{toSafeLine(description)}</p>}
      <p className={media.where}>
        <Address uri={textOf(block['uri'])} />
        {facts.length > 0 && ` · ${toSafeLine(facts.join(' · '))}`}
      </p>
    </>
  )
}

/** A link where it may be one, else the address as text. */
function Address({ uri }: { uri: string }) {
  const address = toSafeAddress(uri)
  if (address === undefined) return <code>{toSafeLine(uri)}</code>
  return <SafeLink address={address}>{uri}</SafeLink>
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
