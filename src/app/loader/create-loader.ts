import type { LoadReport } from '../../core/crib-api.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import { isolateTool, type ToolIsolator } from '../../core/isolate-tool.ts'
import type { SourceChanged, ToolSource } from '../../core/sources/tool-source.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import { digestCode } from './digest-code.ts'
import { findToolFiles, isToolFile } from './find-tool-files.ts'
import type { CodeLibrary } from '../library/code-library.ts'
import { guardExit } from './guard-exit.ts'
import { type ImportedFile, importToolFile, toolFileUrl } from './import-tool-file.ts'
import { filesBehind, registerModuleHooks } from './module-hooks.ts'
import { ownValue } from '../../core/kernel/json/json-type.ts'

/** Files that were loaded again, with the results. */
export interface Reload {
  files: readonly LoadReport[]
  /** Names of removed tools. */
  removed: readonly string[]
}

/** Loads the tools of the folders; its source adds them to the registry. */
export interface Loader {
  readonly source: ToolSource
  /** Scans the folders and loads every file. */
  load(): Promise<readonly LoadReport[]>
  /** Reloads everything that these changed, new or deleted files affect. */
  reload(changed: readonly string[]): Promise<Reload>
  reports(): readonly LoadReport[]
  /** Files outside of the folders that tools import: a watcher must know them. */
  dependencies(): string[]
}

export interface LoaderOptions {
  folders: readonly string[]
  /** False: a missing folder is empty. */
  mustFindFolders?: boolean
  /** Receives prompts and resources of the files. */
  library?: Pick<CodeLibrary, 'set' | 'remove'>
  readEnv(names: readonly string[]): Record<string, string>
  /** Runs isolated tools. If absent, they are not run. */
  isolator?: ToolIsolator
  /** How long one file may take to load. */
  importMs?: number
}

export function createLoader(options: LoaderOptions): Loader {
  registerModuleHooks()
  guardExit()
  const reports = new Map<string, LoadReport>()
  const tools = new Map<string, readonly OwnTool[]>()
  let changed: SourceChanged = async () => []
  let reloadNumber = 0
  const findFiles = () => findToolFiles(options.folders, { mustExist: options.mustFindFolders })

  /** One after the other: when two files have one name, the first by path always wins. */
  async function loadFiles(files: readonly string[]): Promise<LoadReport[]> {
    const imported = new Map<string, ImportedFile>()
    const before = new Map(tools)
    for (const file of files) {
      const found = await importToolFile(file, reloadNumber, options.importMs)
      imported.set(file, found)
      if (!found.ok) continue
      const loaded = isolate(found, toolFileUrl(file, reloadNumber), options)
      tools.set(file, toOwnTools(file, loaded, await digestCode(file)))
    }
    const refused = await changed()
    for (const [file, found] of imported) {
      const error = refused.find((one) => one.file === file)?.error
      if (error !== undefined) restore(file, before.get(file))
      reports.set(file, report({ file, tools: tools.get(file) ?? [], found, error }, options))
    }
    return files.flatMap((file) => reports.get(file) ?? [])
  }

  function restore(file: string, before: readonly OwnTool[] | undefined): void {
    if (before === undefined) tools.delete(file)
    else tools.set(file, before)
  }

  return {
    source: {
      name: 'code',
      toolsFor: async (owner) => (owner === 'everyone' ? [...tools.values()].flat() : []),
      watch: (given) => void (changed = given),
    },
    load: async () => loadFiles(await findFiles()),
    async reload(paths) {
      reloadNumber += 1
      const files = new Set(await findFiles())
      const removed = [...reports.values()].filter((report) => !files.has(report.file))
      for (const report of removed) {
        reports.delete(report.file)
        tools.delete(report.file)
        options.library?.remove(report.file)
      }
      const loaded = await loadFiles([...files].filter((file) => isTouched(file, paths, reports)))
      return { files: loaded, removed: removed.flatMap((report) => report.tools) }
    },
    reports: () => [...reports.values()],
    dependencies() {
      const all = [...reports.keys()].flatMap((file) => [...filesBehind(file)])
      return [...new Set(all)].filter((file) => !isToolFile(file))
    },
  }
}

interface Loading {
  file: string
  /** The tools of this file that are currently registered. */
  tools: readonly OwnTool[]
  found: ImportedFile
  /** The error of the registry, if it refused them. */
  error: Error | undefined
}

function report({ file, tools, found, error }: Loading, options: LoaderOptions): LoadReport {
  const names = tools.map(({ tool }) => tool.contract.name)
  if (!found.ok) return { file, tools: names, error: found.error, warnings: keptWarning(names) }
  if (error !== undefined) {
    const { message } = error
    return { file, tools: names, error: { message }, warnings: keptWarning(names) }
  }
  try {
    options.library?.set(file, found.library)
    return { file, tools: names, warnings: warningsOf(found, options) }
  } catch (failure) {
    if (!isToolError(failure)) throw failure
    return { file, tools: names, error: { message: failure.message }, warnings: [] }
  }
}

/** Isolated tools run in a worker, which loads the same module again. */
function isolate(
  loaded: LoadedFile,
  { href }: URL,
  { isolator }: Pick<LoaderOptions, 'isolator'>,
): LoadedFile {
  if (isolator === undefined) return loaded
  const tools = loaded.tools.map((found) =>
    found.tool.contract.isolation === 'worker'
      ? { ...found, tool: isolateTool(found.tool, href, isolator) }
      : found,
  )
  return { ...loaded, tools }
}

type LoadedFile = Extract<ImportedFile, { ok: true }>

function isTouched(
  file: string,
  changed: readonly string[],
  reports: Map<string, LoadReport>,
): boolean {
  if (!reports.has(file)) return true
  // A taken name may be free now, so files in error are always tried again.
  if (reports.get(file)?.error !== undefined) return true
  const behind = filesBehind(file)
  return changed.some((path) => behind.has(path))
}

function toOwnTools(file: string, { tools }: LoadedFile, codeDigest: string): OwnTool[] {
  return tools.map(({ tool, pack }) => ({
    tool,
    origin: { file, codeDigest, ...(pack && { pack }) },
  }))
}

function warningsOf(
  { tools, library }: Pick<LoadedFile, 'tools' | 'library'>,
  options: LoaderOptions,
): string[] {
  const isEmpty = tools.length + library.prompts.length + library.resources.length === 0
  if (isEmpty) return ['The file exports no tool; export what defineTool returns']
  return tools.flatMap(({ tool }) => {
    const { name, env } = tool.contract
    const set = options.readEnv(env)
    const missing = env.filter((variable) => ownValue(set, variable) === undefined)
    return [
      ...tool.warnings.map((issue) => `${name}${issue.path}: ${issue.message}`),
      ...missing.map(
        (variable) => `${name} is left out: the environment variable ${variable} is not set`,
      ),
    ]
  })
}

function keptWarning(before: readonly string[]): string[] {
  return before.length === 0
    ? []
    : [`Still serving the last working version of ${before.join(', ')}`]
}
