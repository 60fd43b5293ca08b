import type { Tool } from '@modelcontextprotocol/server'
import { markSvg } from '../../../core/kernel/mark.ts'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import { iconPaths } from './icon-paths.ts'

type Icons = NonNullable<Tool['icons']>

/** The pictures of a tool as MCP clients take them; none for a name that we have no picture for. */
export function toIcons({ icon, icons }: Pick<OfferedTool, 'icon' | 'icons'>): Pick<Tool, 'icons'> {
  if (icons !== undefined) return { icons: icons.map((one) => ({ ...one })) }
  if (icon === undefined) return {}
  if (/^(?:https:\/\/|data:image\/)/.test(icon)) return { icons: [{ src: icon }] }
  const named = findNamed(icon)
  return named === undefined ? {} : { icons: named }
}

/** Thousands of tools have the same few pictures: each is made once. */
const made = new Map<string, Icons>()

function findNamed(name: string): Icons | undefined {
  const outline = Object.hasOwn(iconPaths, name) ? iconPaths[name] : undefined
  if (outline === undefined) return undefined
  const known = made.get(name) ?? toPicture(`${opening}<path d="${outline}"/></svg>`)
  made.set(name, known)
  return known
}

/** The colour of our mark, which stands out on white and on black: an image has no colour around it. */
const opening =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#5a62f4" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">'

function toPicture(svg: string): Icons {
  const src = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return [{ src, mimeType: 'image/svg+xml', sizes: ['any'] }]
}

/** How the server shows itself. */
export const serverIcons: Icons = toPicture(markSvg)
