import type { JsonObject, JsonValue } from '../api/json.ts'
import { toSafeAddress } from './values/safe-text.ts'
import { isObject, isScalar } from './values/view-types.ts'
import type { ViewKind } from './values/view-types.ts'

/** How a value is drawn: kinds that a view can declare, and kinds that only a shape implies. */
export type DrawnKind =
  | ViewKind
  | 'value'
  | 'list'
  | 'link'
  | 'content'
  | 'artifact'
  | 'parts'
  | 'empty'

const shortText = 120
const shortList = 8
const listLength = 50

/** The kind of a value without a declaration: by its shape alone. */
export function chooseKind(value: JsonValue): DrawnKind {
  if (typeof value === 'string') return chooseForText(value)
  if (value === null || typeof value !== 'object') return 'value'
  if (Array.isArray(value)) return chooseForList(value)
  return chooseForObject(value)
}

function chooseForText(text: string): DrawnKind {
  if (text === '') return 'empty'
  if (isPicture(text)) return 'image'
  if (isSound(text)) return 'audio'
  if (toSafeAddress(text) !== undefined) return 'link'
  return text.length > shortText || text.includes('\n') ? 'text' : 'value'
}

function chooseForList(items: readonly JsonValue[]): DrawnKind {
  if (items.length === 0) return 'empty'
  if (items.every(isScalar)) return items.length <= listLength ? 'list' : 'table'
  if (items.every(isFlatObject)) return 'table'
  return 'json'
}

function chooseForObject(value: JsonObject): DrawnKind {
  const keys = Object.keys(value)
  if (isContent(value)) return 'content'
  if (isArtifact(value)) return 'artifact'
  if (keys.length === 0) return 'empty'
  // More than a screen of cards is read more easily as a tree.
  if (keys.length > 60) return 'json'
  return keys.every((key) => isFlat(value[key])) ? 'summary' : 'parts'
}

/** Rich output of the core: pictures, sound, files, several texts. */
export function isContent(
  value: JsonValue,
): value is { $content: JsonValue[]; $structured?: JsonValue } {
  if (!isObject(value) || !Array.isArray(value['$content'])) return false
  return Object.keys(value).every((key) => key === '$content' || key === '$structured')
}

/** A file that the call has kept, as tools refer to it in their output. */
export function isArtifact(
  value: JsonValue,
): value is { id: string; bytes: number; mediaType: string } {
  if (!isObject(value) || Object.keys(value).length !== 3) return false
  const { id, bytes, mediaType } = value
  return typeof id === 'string' && typeof bytes === 'number' && typeof mediaType === 'string'
}

/** The notice in place of an output that is too large to be sent whole. */
export function isCutNotice(value: JsonValue | undefined): boolean {
  return isObject(value) && value['truncated'] === true && typeof value['hiddenBytes'] === 'number'
}

/** The beginning of it, as text. */
export function previewOf(value: JsonValue): string | undefined {
  if (!isCutNotice(value) || !isObject(value)) return undefined
  return typeof value['preview'] === 'string' ? value['preview'] : undefined
}

export function isFlatObject(value: JsonValue): value is JsonObject {
  return isObject(value) && Object.keys(value).every((key) => isFlat(value[key]))
}

/** Fits into a cell: a scalar, or a short list of them. */
export function isFlat(value: JsonValue | undefined): boolean {
  if (value === undefined || isScalar(value)) return true
  return Array.isArray(value) && value.length <= shortList && value.every(isScalar)
}

export function isPicture(text: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)[;,]/i.test(text)
}

export function isSound(text: string): boolean {
  return /^data:audio\/[\w.+-]+[;,]/i.test(text)
}
