import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { Json, ParameterWriting, ParameterStyle } from '../model.ts'

/** One `name=value`, both already encoded. */
export type Pair = readonly [name: string, value: string]

/** The value of a parameter in a path or a header, without its name where the style has none. */
export function writeSimple(name: string, value: Json, writing: ParameterWriting): string {
  const { style, explode } = writing
  if (style === 'json') return encode(JSON.stringify(value), writing)
  const parts = toParts(value, writing)
  const separator = separators[style] ?? ','
  const between = explode ? explodedSeparator(style) : separator
  const isPairs = isRecord(value)
  const texts = parts.map(([key, text]) => {
    if (!isPairs) return style === 'matrix' && explode ? `${encode(name, writing)}=${text}` : text
    return explode ? `${key}=${text}` : `${key}${separator}${text}`
  })
  const joined = texts.join(between)
  if (style === 'label') return `.${joined}`
  if (style !== 'matrix') return joined
  return explode ? `;${joined}` : `;${encode(name, writing)}=${joined}`
}

/** The pairs of a parameter in a query, a cookie or a form. */
export function writePairs(name: string, value: Json, writing: ParameterWriting): Pair[] {
  const { style, explode } = writing
  const key = encode(name, writing)
  if (style === 'json') return [[key, encode(JSON.stringify(value), writing)]]
  if (style === 'deepObject') return writeDeep(key, value, writing)
  const parts = toParts(value, writing)
  if (Array.isArray(value)) {
    if (explode) return parts.map(([, text]) => [key, text])
    return parts.length === 0 ? [] : [[key, parts.map(([, text]) => text).join(separatorOf(style))]]
  }
  if (!isRecord(value)) return [[key, parts[0]?.[1] ?? '']]
  if (explode) return parts
  return parts.length === 0 ? [] : [[key, parts.flat().join(separatorOf(style))]]
}

/** `filter[a][b]=1`: what the standard leaves open below the first level, as servers read it. */
function writeDeep(key: string, value: Json, writing: ParameterWriting): Pair[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      isRecord(item) || Array.isArray(item)
        ? writeDeep(`${key}[${index}]`, item, writing)
        : writeDeep(`${key}[]`, item, writing),
    )
  }
  if (!isRecord(value)) return [[key, encode(toText(value), writing)]]
  return Object.entries(value)
    .filter(([, inner]) => inner !== null)
    .flatMap(([inner, item]) => writeDeep(`${key}[${encode(inner, writing)}]`, item, writing))
}

const separators: Partial<Record<ParameterStyle, string>> = {
  spaceDelimited: '%20',
  tabDelimited: '%09',
  pipeDelimited: '|',
}

function separatorOf(style: ParameterStyle): string {
  return separators[style] ?? ','
}

function explodedSeparator(style: ParameterStyle): string {
  if (style === 'label') return '.'
  return style === 'matrix' ? ';' : ','
}

/** The parts of a value, encoded: items, or members with their keys. */
function toParts(value: Json, writing: ParameterWriting): Pair[] {
  if (Array.isArray(value)) return value.map((item) => ['', encode(toText(item), writing)])
  if (!isRecord(value)) return [['', encode(toText(value), writing)]]
  return Object.entries(value)
    .filter(([, item]) => item !== null)
    .map(([key, item]) => [encode(key, writing), encode(toText(item), writing)])
}

/** Values nested deeper than a style allows are written as JSON. */
export function toText(value: Json): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** `allowReserved` keeps what has a meaning in addresses, but never what would end the value. */
function encode(text: string, { allowReserved }: Pick<ParameterWriting, 'allowReserved'>): string {
  const encoded = encodeURIComponent(text.toWellFormed())
  if (allowReserved !== true) return encoded
  return encoded.replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|5B|5D)/g, decodeURIComponent)
}
