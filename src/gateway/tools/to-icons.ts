import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { ToolIcon } from '../../core/kernel/tool.ts'

const maxIcons = 4
/** Of all its icons together: they are in every list of the tool. */
const maxChars = 8192
const maxSizes = 8

/** Nothing that runs, is on this machine or can be read on its way. */
const safeSource = /^(?:https:\/\/[^\s"'<>]+|data:image\/[a-z0-9.+-]+[;,][^\s"'<>]*)$/i
const imageType = /^image\/[a-z0-9.+-]{1,60}$/i
const size = /^(?:any|[0-9]{1,5}x[0-9]{1,5})$/

/** The pictures that a server gives a tool, those that can do no harm. The others are left out. */
export function toIcons(given: unknown): ToolIcon[] {
  if (!Array.isArray(given)) return []
  const icons: ToolIcon[] = []
  let chars = 0
  for (const icon of given as unknown[]) {
    const safe = toIcon(icon)
    if (safe === undefined || chars + safe.src.length > maxChars) continue
    chars += safe.src.length
    if (icons.push(safe) === maxIcons) break
  }
  return icons
}

function toIcon(given: unknown): ToolIcon | undefined {
  if (!isRecord(given)) return undefined
  const { src, mimeType, sizes, theme } = given
  // Its length first: what is far too long is not looked through.
  if (typeof src !== 'string' || src.length > maxChars || !safeSource.test(src)) return undefined
  const known = Array.isArray(sizes) ? (sizes as unknown[]).filter(isSize).slice(0, maxSizes) : []
  return {
    src,
    ...(typeof mimeType === 'string' && imageType.test(mimeType) && { mimeType }),
    ...(known.length > 0 && { sizes: known }),
    ...((theme === 'light' || theme === 'dark') && { theme }),
  }
}

function isSize(value: unknown): value is string {
  return typeof value === 'string' && size.test(value)
}
