import type { Tool } from '../../core/kernel/tool.ts'
import type { RegisteredTool } from '../../core/registry-draft.ts'
import type { Registry } from '../../core/registry.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import { createDocumentFiles, type DocumentReport } from './document-files.ts'
import { isDocumentFile } from './find-tool-files.ts'

export interface FileToolsOptions {
  /** The tools of other sources, which documents may name. If absent, only those of the files. */
  others?: Pick<Registry, 'find' | 'list'> & Partial<Pick<Registry, 'watchLists'>>
  /** Report names in documents that no tool has: nothing is added later. */
  knowsAll?: boolean
}

/** The tools of the files of one loader. */
export interface FileTools {
  of(file: string): readonly OwnTool[]
  all(): readonly OwnTool[]
  set(file: string, tools: readonly OwnTool[]): void
  remove(file: string): void
  /** Another tool has the name: these are back until the file is read again. */
  restore(file: string, before: readonly OwnTool[] | undefined): void
  /** The tools by file, as they are now. */
  copy(): ReadonlyMap<string, readonly OwnTool[]>
  readDocuments(files: readonly string[]): Promise<void>
  /** Also of files that did not change, because their effects follow from others. */
  compileDocuments(): ReadonlyMap<string, DocumentReport>
}

export function createFileTools(
  { others, knowsAll = false }: FileToolsOptions,
  onChange: () => void,
): FileTools {
  const tools = new Map<string, readonly OwnTool[]>()
  const documents = createDocumentFiles({ others: toKnown(tools, others), knowsAll })
  let isFollowing = false

  function compileDocuments(): ReadonlyMap<string, DocumentReport> {
    const compiled = documents.compile()
    for (const [file, { own }] of compiled) {
      if (own === undefined) tools.delete(file)
      else if (tools.get(file)?.[0]?.tool !== own.tool) tools.set(file, [own])
    }
    return compiled
  }
  function follow(): void {
    isFollowing = false
    let isChanged = false
    for (const [file, own] of documents.refresh()) {
      if (tools.get(file)?.[0]?.tool === own.tool) continue
      tools.set(file, [own])
      isChanged = true
    }
    if (isChanged) onChange()
  }
  others?.watchLists?.((tenant) => {
    if (tenant !== undefined || isFollowing || ![...tools.keys()].some(isDocumentFile)) return
    isFollowing = true
    queueMicrotask(follow)
  })
  return {
    of: (file) => tools.get(file) ?? [],
    all: () => [...tools.values()].flat(),
    set: (file, own) => void tools.set(file, own),
    remove(file) {
      tools.delete(file)
      documents.remove(file)
    },
    restore(file, before) {
      if (before === undefined) tools.delete(file)
      else tools.set(file, before)
      documents.remove(file)
    },
    copy: () => new Map(tools),
    readDocuments: (files) => documents.read(files.filter(isDocumentFile)),
    compileDocuments,
  }
}

/** Tools of files of code that were just imported are not in the registry yet. */
function toKnown(
  tools: ReadonlyMap<string, readonly OwnTool[]>,
  others: FileToolsOptions['others'],
): Pick<Registry, 'find' | 'list'> {
  const entries = () =>
    [...tools].flatMap(([file, own]) => (isDocumentFile(file) ? [] : own.map(({ tool }) => tool)))
  const toEntry = ({ contract }: Tool) => ({ contract }) as RegisteredTool
  return {
    find(name) {
      const own = entries().find(({ contract }) => contract.name === name)
      return own === undefined ? others?.find(name) : toEntry(own)
    },
    list: () => [...entries().map(toEntry), ...(others?.list() ?? [])],
  }
}
