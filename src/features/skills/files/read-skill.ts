import { isAlias, isNode, isSeq, LineCounter, parseDocument, visit, type Document } from 'yaml'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Vocabulary } from '../../../core/policy/level.ts'
import { splitFrontMatter } from './front-matter.ts'
import { isText, toSkillFiles } from './skill-files.ts'
import {
  checkPatterns,
  type ManifestIssue,
  type ManifestResult,
  toManifest,
} from './skill-manifest.ts'
import { toVersion } from './skill-version.ts'
import { skillBounds, type ReadSkill, type SkillFile } from '../model.ts'

/**
 * A skill from its files. Throws invalid_skill, with the line in SKILL.md, for unreadable front
 * matter and for patterns, groups and profiles that policy would refuse.
 */
export async function readSkill(
  given: readonly SkillFile[],
  words: Vocabulary,
): Promise<ReadSkill> {
  const files = toSkillFiles(given)
  const { document, lines } = parseFrontMatter(findText(files))
  const result = toManifest(toPlainValue(document))
  const issues = result.ok ? checkPatterns(result.manifest, words) : result.issues
  if (!result.ok || issues.length > 0) throw refuse(issues, { document, lines })
  const { manifest, warnings } = result
  return {
    manifest,
    version: await toVersion(files),
    files,
    warnings: [...warnings, ...remarks(result)],
  }
}

interface Parsed {
  document: Document
  lines: LineCounter
}

function findText(files: readonly SkillFile[]): string {
  const file = files.find(({ path }) => path === 'SKILL.md')
  if (file === undefined || !isText(file.bytes)) {
    throw unfit('SKILL.md is not text in UTF-8', 'Save it as UTF-8.')
  }
  return new TextDecoder().decode(file.bytes)
}

function parseFrontMatter(text: string): Parsed {
  const parts = splitFrontMatter(text)
  if (parts === undefined) {
    throw unfit(
      'SKILL.md does not begin with front matter',
      'Begin it with ---, name: and description:, and another ---.',
    )
  }
  if (Buffer.byteLength(parts.yaml) > skillBounds.frontMatterBytes) {
    throw unfit(
      `The front matter of SKILL.md has over ${skillBounds.frontMatterBytes} bytes`,
      'Put the text below it.',
    )
  }
  refuseNesting(parts.yaml)
  const lines = new LineCounter()
  const document = parseDocument(parts.yaml, { lineCounter: lines, logLevel: 'silent' })
  const [fault] = document.errors
  if (fault !== undefined) {
    const line = (fault.linePos?.[0].line ?? 1) + 1
    throw unfit(`SKILL.md, line ${line}: ${fault.message.split('\n')[0] ?? ''}`, 'Mend the YAML.')
  }
  return { document, lines }
}

/** The parser calls itself for every level; nobody writes as many by hand. */
function refuseNesting(yaml: string): void {
  const deepest = 32
  let open = 0
  for (const line of yaml.split('\n')) {
    const isDeep = /^ {200}|^(?:[ \t]*[-?:][ \t]){32}/.test(line)
    for (const character of line) {
      if (character === '[' || character === '{') open += 1
      if (character === ']' || character === '}') open = Math.max(0, open - 1)
    }
    if (open <= deepest && !isDeep) continue
    throw unfit('The front matter of SKILL.md is nested too deep', 'Write it flat.')
  }
}

/** Aliases are how a small file becomes a large one, and nothing here needs them. */
function toPlainValue(document: Document): unknown {
  visit(document, {
    Alias(_key, node) {
      if (isAlias(node)) throw unfit('SKILL.md uses a YAML alias (*name)', 'Write it out.')
    },
  })
  return document.toJS({ maxAliasCount: 0 }) as unknown
}

function refuse(issues: readonly ManifestIssue[], parsed: Parsed): ToolError {
  const told = issues.slice(0, 20).map(({ at, message }) => ({
    path: at.length === 0 ? '' : `/${at.join('/')}`,
    message: `SKILL.md, line ${findLine(at, parsed)}: ${at.join('.')} ${message}`,
  }))
  const message = told.map((issue) => issue.message).join('; ')
  return new ToolError('invalid_skill', message, { issues: told, fix: 'Mend SKILL.md.' })
}

/** The line of the value at these keys, or of its nearest existing parent. */
function findLine(keys: readonly (string | number)[], { document, lines }: Parsed): number {
  const isList = keys[0] === 'permissions' && isSeq(document.get('permissions'))
  // In the list form, the allowed patterns are `permissions` itself.
  const at = isList ? keys.filter((key) => key !== 'allow') : keys
  for (let length = at.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(at.slice(0, length), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line + 1
  }
  return 1
}

function remarks({ manifest }: Extract<ManifestResult, { ok: true }>): string[] {
  if (manifest.permissions !== undefined) return []
  return ['It names no permissions, so nothing may be used while it is active']
}

function unfit(message: string, fix: string): ToolError {
  return new ToolError('invalid_skill', message, { fix })
}
