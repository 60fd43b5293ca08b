import type { LoadReport } from '../../core/crib-api.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import type { PlacedFinding } from '../../core/kernel/finding.ts'
import { isolateTool, type ToolIsolator } from '../../core/isolate-tool.ts'
import type { SourceChanged, ToolSource } from '../../core/sources/tool-source.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import { digestCode } from './digest-code.ts'
import { findToolFiles, isDocumentFile, isToolFile } from './find-tool-files.ts'
import type { CodeLibrary } from '../library/code-library.ts'
import { guardExit } from './guard-exit.ts'
import { type ImportedFile, importToolFile, toolFileUrl } from './import-tool-file.ts'
import { createFileTools, type FileTools, type FileToolsOptions } from './file-tools.ts'
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

export interface LoaderOptions extends FileToolsOptions {
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
  const tools = createFileTools(options, () => {
    // Refused tools are reported when their files are loaded again.
    changed().catch(() => undefined)
  })
  let changed: SourceChanged = async () => []
  let reloadNumber = 0
  const findFiles = () => findToolFiles(options.folders, { mustExist: options.mustFindFolders })

  /** One after the other: when two files have one name, the first by path always wins. */
  async function loadFiles(files: readonly string[]): Promise<LoadReport[]> {
    const imported = new Map<string, ImportedFile>()
    const before = tools.copy()
    await tools.readDocuments(files)
    for (const file of files) {
      if (!isDocumentFile(file))
        imported.set(file, await importFile(file, reloadNumber, { tools, options }))
    }
    const compiled = tools.compileDocuments()
    const refused = await changed()
    for (const file of files) {
      const error = refused.find((one) => one.file === file)?.error
      if (error !== undefined) tools.restore(file, before.get(file))
      const loading = { file, tools: tools.of(file), error }
      const found = imported.get(file)
      const { findings = [] } = compiled.get(file) ?? {}
      reports.set(file, report({ ...loading, found, findings }, options))
    }
    return files.flatMap((file) => reports.get(file) ?? [])
  }

  return {
    source: {
      name: 'code',
      toolsFor: async (owner) => (owner === 'everyone' ? tools.all() : []),
      watch: (given) => void (changed = given),
    },
    load: async () => loadFiles(await findFiles()),
    async reload(paths) {
      reloadNumber += 1
      const files = new Set(await findFiles())
      const removed = [...reports.values()].filter((report) => !files.has(report.file))
      for (const report of removed) {
        reports.delete(report.file)
        tools.remove(report.file)
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

async function importFile(
  file: string,
  reload: number,
  { tools, options }: { tools: FileTools; options: LoaderOptions },
): Promise<ImportedFile> {
  const found = await importToolFile(file, reload, options.importMs)
  if (!found.ok) return found
  const loaded = isolate(found, toolFileUrl(file, reload), options)
  tools.set(file, toOwnTools(file, loaded, await digestCode(file)))
  return found
}

interface Loading {
  file: string
  /** The tools of this file that are currently registered. */
  tools: readonly OwnTool[]
  /** Undefined for a document. */
  found: ImportedFile | undefined
  /** For a document. */
  findings: readonly PlacedFinding[]
  /** The error of the registry, if it refused them. */
  error: Error | undefined
}

function report(loading: Loading, options: LoaderOptions): LoadReport {
  const { file, found, error } = loading
  const tools = loading.tools.map(({ tool }) => tool.contract.name)
  if (found?.ok === false) return { file, tools, error: found.error, warnings: keptWarning(tools) }
  if (error !== undefined) {
    const { message } = error
    return { file, tools, error: { message }, warnings: keptWarning(tools) }
  }
  if (found === undefined) return reportDocument(file, tools, loading.findings)
  try {
    options.library?.set(file, found.library)
    return { file, tools, warnings: warningsOf(found, options) }
  } catch (failure) {
    if (!isToolError(failure)) throw failure
    return { file, tools, error: { message: failure.message }, warnings: [] }
  }
}

function reportDocument(
  file: string,
  tools: readonly string[],
  findings: readonly PlacedFinding[],
): LoadReport {
  const wrong = findings.find(({ severity }) => severity === 'error')
  if (wrong === undefined) return { file, tools, warnings: findings.map(toLine), findings }
  const { line, column } = wrong
  const at = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) }
  const error = { message: toLine(wrong), ...at }
  return { file, tools, error, warnings: keptWarning(tools), findings }
}

function toLine({ path, message }: PlacedFinding): string {
  return `${path} ${message}`.trim()
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
