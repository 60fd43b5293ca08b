import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/** Texts are what users read, comments what engineers read, titles what a failing test prints. */
export type TextKind = 'texts' | 'comments' | 'titles'

/** One text of the repository, with where it begins. */
export interface WrittenText {
  kind: TextKind
  file: string
  line: number
  text: string
}

/** Generated from source, which is read itself, or a fixed list of words. */
const skipped =
  /^docs\/reference\/|api\/schema\.ts$|typing\/config-input\.ts$|operations\/command-requests\.ts$|\.d\.ts$/
const isTest = /\.(?:test|contract)\.tsx?$|\/testing\/|^console\/test\/|^src\/store\/contract\//

/** Every text in the source of the product, its tests and its documentation. */
export function readTexts(root: string): WrittenText[] {
  const files = globSync(
    ['{src,console/src,console/test}/**/*.{ts,tsx}', 'docs/**/*.md', 'src/**/*.md', '*.md'],
    { cwd: root },
  )
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !skipped.test(file))
    .sort()
    .flatMap((file) => readText(file, readFileSync(join(root, file), 'utf8')))
}

/** The texts of one file. Shorter strings than five words are names and labels, and left out. */
export function readText(file: string, source: string): WrittenText[] {
  return file.endsWith('.md') ? readMarkdown(file, source) : readCode(file, source)
}

function readMarkdown(file: string, source: string): WrittenText[] {
  const prose = source
    .replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, blank)
    // Headings and cells of a table head are noun phrases: "What is recorded" is fine there.
    .replaceAll(/^#.*$/gm, blank)
    .replaceAll(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length))
  return prose.split('\n').flatMap((line, index) => {
    // A list item, a cell or a quotation begins a sentence of its own.
    const parts = line.split(/^\s*(?:[-*>]|\d+\.)\s+|\|/).filter((part) => isLong(part))
    return parts.map((text) => ({ kind: 'texts' as const, file, line: index + 1, text }))
  })
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}

function readCode(file: string, source: string): WrittenText[] {
  const { program, comments, errors } = parseSync(file, source)
  if (errors[0] !== undefined) throw new Error(`${file} does not parse: ${errors[0].message}`)
  const found: WrittenText[] = []
  const starts = lineStarts(source)
  const add = (kind: TextKind, at: number, text: string) =>
    found.push({ kind, file, line: lineAt(starts, at), text: text.replaceAll(/\s+/g, ' ').trim() })
  for (const { start, text } of joinComments(comments, source)) add('comments', start, text)
  const titles = new Set<unknown>()
  new Visitor({
    CallExpression(node) {
      const [title] = node.arguments
      if (title !== undefined && isTest.test(file) && isTestCall(node.callee)) titles.add(title)
    },
    Literal(node) {
      if (typeof node.value === 'string') addString(node, node.value)
    },
    TemplateLiteral(node) {
      addString(node, node.quasis.map(({ value }) => value.cooked ?? '').join('…'))
    },
    JSXElement(node) {
      addString(node, childText(node.children))
    },
    JSXFragment(node) {
      addString(node, childText(node.children))
    },
  }).visit(program)
  return found

  function addString(node: { start: number }, text: string): void {
    if (titles.has(node)) add('titles', node.start, text)
    else if (!isTest.test(file) && isLong(text)) add('texts', node.start, text)
  }
}

/** What an element shows itself; the elements inside it are visited on their own. */
function childText(children: readonly { type: string; value?: unknown }[]): string {
  return children.map((child) => (child.type === 'JSXText' ? String(child.value) : '…')).join('')
}

/** `test(`, `describe.skipIf(…)(`, `test.each(…)(`. */
function isTestCall(callee: unknown): boolean {
  const { name, object, callee: inner } = callee as Record<string, unknown>
  if (typeof name === 'string') return /^(?:test|it|describe)$/.test(name)
  return [object, inner].some((part) => typeof part === 'object' && isTestCall(part))
}

function isLong(text: string): boolean {
  // Paths and addresses have no spaces.
  return /\s/.test(text) && (text.match(/[\p{L}’']{2,}/gu)?.length ?? 0) >= 5
}

interface Comment {
  type: string
  value: string
  start: number
  end: number
}

/** Line comments that follow each other are one text. */
function joinComments(
  comments: readonly Comment[],
  source: string,
): { start: number; text: string }[] {
  const joined: { start: number; end: number; isLine: boolean; text: string }[] = []
  for (const { type, value, start, end } of comments) {
    const text = value.replaceAll(/^\s*\*+ ?/gm, '').replaceAll(/`[^`]*`/g, 'x')
    const last = joined.at(-1)
    const isLine = type === 'Line'
    if (isLine && last?.isLine === true && source.slice(last.end, start).trim() === '') {
      last.text += ` ${text}`
      last.end = end
    } else joined.push({ start, end, isLine, text })
  }
  return joined
}

function lineStarts(source: string): number[] {
  return [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
}

function lineAt(starts: readonly number[], offset: number): number {
  let line = starts.length
  while (line > 1 && (starts[line - 1] ?? 0) > offset) line -= 1
  return line
}
