import { Parser } from 'htmlparser2'
import { cleanText } from './clean-text.ts'
import { droppedElements } from './elements.ts'
import { type Attributes, isHidden } from './hidden-elements.ts'
import { findHiddenNames, type HiddenNames } from './hidden-names.ts'
import { isNoise } from './noise.ts'
import { createLinkResolver, type LinkResolver } from './link-resolver.ts'
import { tagsOf } from './page-tags.ts'
import { createPageWriter, type PageWriter } from './page-writer.ts'
import { styleOf } from './style-of.ts'

export interface StripOptions {
  /** The address of the page. */
  url: string
  /** Leaves out menus and notices, and takes the main part if enough of the text is there. */
  isMainOnly: boolean
}

/** A page as HTML that holds nothing but text, links and images that people see. */
export interface StrippedPage {
  title: string | null
  html: string
  /** Characters that people see, menus and notices included. */
  seen: number
  /** Characters in `html`. */
  kept: number
  /** Its end was left out. */
  isPartial: boolean
}

/** Tags of deeper elements are left out; their text stays. */
const maxDepth = 200
/** Each line of a list is indented for each list it is in. */
const maxIndents = 20
/** Nobody writes such pages, and the parser searches its stack at every end tag. */
const maxNesting = 1000
/** Of the text, for the main part to stand for the page. */
const mainShare = 0.4

interface Element {
  name: string
  close: string
  isIndented: boolean
  /** Where it began, if it may be the main part. */
  main: { piece: number; kept: number } | undefined
}

interface Strip extends StripOptions {
  links: LinkResolver
  hidden: HiddenNames
  writer: PageWriter
  stack: Element[]
  /** The element below which everything is dropped, by its depth. */
  dropped: { depth: number; isSeen: boolean } | undefined
  title: string | undefined
  /** The largest main part so far. */
  main: { start: number; end: number; kept: number } | undefined
  indents: number
  /** Elements with white space that counts. */
  verbatim: number
  /** Characters in what was dropped and is seen. */
  noise: number
  isCut: boolean
}

/** Reads HTML once from start to end and keeps no tree: time and memory grow with its length. */
export function stripPage(html: string, options: StripOptions): StrippedPage {
  const strip: Strip = {
    ...options,
    links: createLinkResolver(options.url),
    hidden: findHiddenNames(styleOf(html)),
    writer: createPageWriter(),
    stack: [],
    dropped: undefined,
    title: undefined,
    main: undefined,
    indents: 0,
    verbatim: 0,
    noise: 0,
    isCut: false,
  }
  read(html, strip)
  const { writer, main, noise } = strip
  const isEnough = main !== undefined && main.kept > mainShare * writer.kept
  const part = options.isMainOnly && isEnough ? main : undefined
  return {
    title: toTitle(strip.title),
    html: writer.html(part?.start, part?.end),
    seen: writer.kept + noise,
    kept: part?.kept ?? writer.kept,
    isPartial: strip.isCut,
  }
}

function read(html: string, strip: Strip): void {
  const parser = new Parser({
    onopentag(name, attributes) {
      if (strip.isCut) return
      onOpen(strip, name, attributes)
      if (strip.stack.length < maxNesting && !strip.writer.isFull) return
      strip.isCut = true
      parser.pause()
    },
    ontext: (text) => (strip.isCut ? undefined : onText(strip, text)),
    onclosetag: () => (strip.isCut ? undefined : onClose(strip)),
  })
  parser.write(html)
  if (!strip.isCut) parser.end()
  while (strip.stack.length > 0) onClose(strip)
}

function onOpen(strip: Strip, name: string, attributes: Attributes): void {
  const { stack, writer, links } = strip
  const element: Element = { name, close: '', isIndented: false, main: undefined }
  stack.push(element)
  if (name === 'pre') strip.verbatim += 1
  if (strip.dropped !== undefined) return
  if (name === 'base') links.setBase(attributes['href'] ?? '')
  const reason = reasonToDrop(strip, name, attributes)
  if (reason !== undefined) {
    strip.dropped = { depth: stack.length, isSeen: reason === 'noise' }
    return
  }
  if (isMain(name, attributes)) element.main = { piece: writer.pieces, kept: writer.kept }
  const mayWrite = stack.length <= maxDepth && mayIndent(strip, element)
  const tags = mayWrite ? tagsOf(name, attributes, links) : undefined
  element.close = tags?.close ?? ''
  if (tags !== undefined) writer.tag(tags.open)
}

/** Counts lists and quotes inside each other. */
function mayIndent(strip: Strip, element: Element): boolean {
  if (!indented.has(element.name)) return true
  if (strip.indents >= maxIndents) return false
  strip.indents += 1
  element.isIndented = true
  return true
}

const indented = new Set(['ul', 'ol', 'blockquote'])

function reasonToDrop(
  { hidden, isMainOnly }: Strip,
  name: string,
  attributes: Attributes,
): 'unseen' | 'noise' | undefined {
  if (droppedElements.has(name) || isHidden(name, attributes, hidden)) return 'unseen'
  return isMainOnly && isNoise(name, attributes) ? 'noise' : undefined
}

function isMain(name: string, { role }: Attributes): boolean {
  return name === 'main' || name === 'article' || role?.trim().toLowerCase() === 'main'
}

function onText(strip: Strip, text: string): void {
  const { dropped, stack, writer } = strip
  if (dropped === undefined) return writer.text(text, strip.verbatim > 0)
  // The title of a picture is inside of it, so that it is not what was dropped.
  const isTitle = stack.at(-1)?.name === 'title' && dropped.depth === stack.length
  if (isTitle && (strip.title ?? '').length < 1000) strip.title = (strip.title ?? '') + text
  if (dropped.isSeen) strip.noise += text.trim().length
}

function onClose(strip: Strip): void {
  const { stack, writer } = strip
  const element = stack.pop()
  if (element === undefined) return
  if (strip.dropped !== undefined) {
    if (element.name === 'pre') strip.verbatim -= 1
    if (stack.length < strip.dropped.depth) strip.dropped = undefined
    return
  }
  if (element.isIndented) strip.indents -= 1
  if (element.close !== '') writer.tag(element.close)
  if (element.name === 'pre') strip.verbatim -= 1
  if (element.main === undefined) return
  const kept = writer.kept - element.main.kept
  if (kept > (strip.main?.kept ?? 0)) {
    strip.main = { start: element.main.piece, end: writer.pieces, kept }
  }
}

function toTitle(text = ''): string | null {
  const title = cleanText(text).replaceAll(/\s+/g, ' ').trim().slice(0, 300)
  return title === '' ? null : title
}
