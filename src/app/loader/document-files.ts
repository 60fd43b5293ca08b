import { toTool } from '../../core/define-tool.ts'
import type { Finding, PlacedFinding } from '../../core/kernel/finding.ts'
import { cacheByIdentity } from '../../core/kernel/identity-cache.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { Tool, ToolContract } from '../../core/kernel/tool.ts'
import type { Registry } from '../../core/registry.ts'
import type { KnownTools } from '../../core/sources/known-tools.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import { specKinds } from '../../features/authoring/kinds/kinds.ts'
import { checkDocument, isPublishable } from '../../features/authoring/model/check-document.ts'
import { readDocument } from '../../features/authoring/model/read-document.ts'
import { compileAll, type MadeTool } from '../../features/authoring/source/compile-all.ts'
import type { HeldDocument } from '../../features/authoring/source/held-documents.ts'
import { toVersionHash } from '../../features/versions/to-version-hash.ts'
import { packs } from '../../tools/packs.ts'
import { isDocumentFile } from './find-tool-files.ts'
import type { ToolFile } from './read-tool-file.ts'

/** The tool of a file, if it has a version that works, and everything that is wrong with the latest. */
export interface DocumentReport {
  own?: OwnTool
  findings: readonly PlacedFinding[]
}

interface DocumentFilesOptions {
  /** The tools of all other sources, and of files of code. */
  others: Pick<Registry, 'find' | 'list'>
  /** False: names that nobody has may be added later, by MCP servers and tenants. */
  knowsAll: boolean
}

/** Tools that are documents in files. A file that breaks keeps its last working version. */
export interface DocumentFiles {
  /** Reads these files again. */
  read(files: readonly string[]): Promise<void>
  remove(file: string): void
  /** Compiles all of them: the effect of one may follow from another. An unchanged tool stays the same object. */
  compile(): ReadonlyMap<string, DocumentReport>
  /** Makes those again that follow from tools that have changed. The files were checked before. */
  refresh(): ReadonlyMap<string, OwnTool>
}

/** Packs whose grants and hosts such a tool must not inherit by its name. */
const reserved: ReadonlySet<string> = new Set(packs.map(({ name }) => name))

interface State extends DocumentFilesOptions {
  /** As last read, by file. */
  latest: Map<string, ToolFile>
  /** The last version of each file that worked. */
  working: Map<string, JsonValue>
  made: Tools
}

type Tools = ReadonlyMap<string, MadeTool>

export function createDocumentFiles(options: DocumentFilesOptions): DocumentFiles {
  const state: State = { ...options, latest: new Map(), working: new Map(), made: new Map() }
  return {
    async read(files) {
      if (files.length === 0) return
      const { readToolFile } = await import('./read-tool-file.ts')
      for (const file of files) state.latest.set(file, await readToolFile(file))
    },
    remove(file) {
      state.latest.delete(file)
      state.working.delete(file)
    },
    compile: () => compile(state),
    refresh() {
      state.made = make(state.working, state)
      return new Map(
        [...state.working.keys()].flatMap((file) => {
          const own = toOwn(file, state)
          return own === undefined ? [] : [[file, own] as const]
        }),
      )
    },
  }
}

function compile(state: State): ReadonlyMap<string, DocumentReport> {
  const files = [...state.latest.keys()].toSorted()
  const candidates = new Map(
    files.flatMap((file) => {
      const document = state.latest.get(file)?.document
      return document === undefined ? [] : [[file, document] as const]
    }),
  )
  const twins = findTwins(candidates)
  for (const file of twins.keys()) candidates.delete(file)
  const tried = make(candidates, state)
  const found = files.map((file) => {
    const twin = twins.get(file)
    const findings = twin === undefined ? check(file, tried, state) : [twin]
    const document = candidates.get(file)
    if (document !== undefined && isPublishable(findings)) state.working.set(file, document)
    // Another file has the name now, also of the version that worked.
    if (twin !== undefined) state.working.delete(file)
    return { file, findings }
  })
  state.made = make(state.working, state)
  return new Map(found.map(({ file, findings }) => [file, toReport(file, findings, state)]))
}

/** Makes the tools of these documents, as far as each of them can be read. */
function make(documents: ReadonlyMap<string, JsonValue>, state: State): Tools {
  const held = new Map([...documents.values()].flatMap((document) => toHeld(document)))
  const others = { find: (name: string) => findOther(name, state), names: () => [] }
  return compileAll({ documents: held, before: state.made, others, reserved })
}

function findOther(name: string, { others }: State): ToolContract | undefined {
  const entry = others.find(name)
  const isOther = entry?.contract.name === name && !isDocumentFile(entry.file ?? '')
  return isOther ? entry.contract : undefined
}

function knownAmong(tools: Tools, state: State): KnownTools {
  const { others, knowsAll } = state
  const foreign = (name: string) => (knowsAll && !name.includes(':') ? undefined : anyTool)
  return {
    find: (name) => tools.get(name)?.tool.contract ?? findOther(name, state) ?? foreign(name),
    names: () => [...tools.keys(), ...others.list().map(({ contract }) => contract.name)],
  }
}

function check(file: string, tools: Tools, state: State): Finding[] {
  const { document, problem } = state.latest.get(file) ?? { problem: { message: 'is missing' } }
  if (document === undefined) return [toError(problem?.message ?? 'is empty')]
  const known = knownAmong(tools, state)
  const { findings } = checkDocument(document, { kinds: specKinds, known, reserved })
  const { problem: broken } = tools.get(nameOf(document)) ?? {}
  const isNoted = broken === undefined || !isPublishable(findings)
  return isNoted ? [...findings] : [{ ...toError(broken), path: '/spec' }, ...findings]
}

function toReport(file: string, findings: readonly Finding[], state: State): DocumentReport {
  const { placeOf, problem } = state.latest.get(file) ?? {}
  const placed = findings.map((finding) => ({
    ...finding,
    ...(problem?.at ?? placeOf?.(finding.path)),
  }))
  const own = toOwn(file, state)
  return { findings: placed, ...(own !== undefined && { own }) }
}

function toOwn(file: string, { working, made }: State): OwnTool | undefined {
  const document = working.get(file)
  const tool = document === undefined ? undefined : made.get(nameOf(document))
  if (tool === undefined || tool.problem !== undefined) return undefined
  return { tool: asCode(tool.tool), origin: { file, codeDigest: tool.hash } }
}

/** The first of them keeps the name. */
function findTwins(documents: ReadonlyMap<string, JsonValue>): Map<string, Finding> {
  const byName = new Map<string, string>()
  const twins = new Map<string, Finding>()
  for (const [file, document] of documents) {
    const name = nameOf(document)
    const first = byName.get(name)
    if (first === undefined) byName.set(name, file)
    else if (name !== '')
      twins.set(file, { ...toError(`is ${name}, as in ${first}`), path: '/name' })
  }
  return twins
}

function toHeld(document: JsonValue): [string, HeldDocument][] {
  const name = nameOf(document)
  if (name === '') return []
  const read = readDocument(document, specKinds)
  const hash = read.document === undefined ? '' : toVersionHash(document)
  return [[name, { name, hash, read }]]
}

function nameOf(document: JsonValue): string {
  const name = (document as { name?: unknown } | null)?.name
  return typeof name === 'string' ? name : ''
}

function toError(message: string): Finding {
  return { path: '', message, severity: 'error' }
}

/** Files are the operator's, so their tools are as trusted as code, and come before published ones. */
const asCode = cacheByIdentity((tool: Tool): Tool =>
  Object.freeze({ ...tool, contract: Object.freeze({ ...tool.contract, source: 'code' }) }),
)

/** Stands for a tool that is not known here: nothing about it is wrong. */
const anyTool = toTool(
  {
    name: 'any.tool',
    source: 'code',
    description: 'A tool that is added later.',
    effect: 'destructive',
    inputSchema: { type: 'object' },
  },
  { execute: () => null },
).contract
