import type { LoadReport } from '../../core/crib-api.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import { isolateTool, type ToolIsolator } from '../../core/isolate-tool.ts'
import type { Registry, RegistryChange } from '../../core/registry.ts'
import type { Pack, Tool } from '../../core/kernel/tool.ts'
import { findToolFiles, isToolFile } from './find-tool-files.ts'
import type { CodeLibrary } from '../library/code-library.ts'
import { guardExit } from './guard-exit.ts'
import { type ImportedFile, importToolFile, toolFileUrl } from './import-tool-file.ts'
import { filesBehind, registerModuleHooks } from './module-hooks.ts'
import { ownValue } from '../../core/kernel/json/json-type.ts'

/** Which files were looked at again, and what came of it. */
export interface Reload {
  files: readonly LoadReport[]
  /** Tools that are gone. */
  removed: readonly string[]
}

/** Keeps the registry equal to what the folders hold. */
export interface Loader {
  /** Scans the folders and loads every file. */
  load(): Promise<readonly LoadReport[]>
  /** Looks again at what these changed, new or vanished files touch. */
  reload(changed: readonly string[]): Promise<Reload>
  reports(): readonly LoadReport[]
  /** Files outside of the folders that tools import: a watcher must know them. */
  dependencies(): string[]
}

export interface LoaderOptions {
  folders: readonly string[]
  /** False: a folder that is not there is empty. */
  mustFindFolders?: boolean
  registry: Registry
  /** Where prompts and resources of the files go. */
  library?: Pick<CodeLibrary, 'set' | 'remove'>
  readEnv(names: readonly string[]): Record<string, string>
  /** Runs the tools that are to be isolated. Without it nothing is run. */
  isolator?: ToolIsolator
  /** How long one file may take to load. */
  importMs?: number
}

export function createLoader(options: LoaderOptions): Loader {
  registerModuleHooks()
  guardExit()
  const { registry } = options
  const reports = new Map<string, LoadReport>()
  let reloadNumber = 0
  const findFiles = () => findToolFiles(options.folders, { mustExist: options.mustFindFolders })

  async function loadFile(file: string): Promise<LoadReport> {
    const before = reports.get(file)?.tools ?? []
    const imported = await importToolFile(file, reloadNumber, options.importMs)
    const report = imported.ok
      ? register(file, isolate(imported, toolFileUrl(file, reloadNumber), options), before)
      : { file, tools: before, error: imported.error, warnings: keptWarning(before) }
    reports.set(file, report)
    return report
  }

  function register(
    file: string,
    { tools, library }: LoadedFile,
    before: readonly string[],
  ): LoadReport {
    let standing = before
    try {
      registry.update(changesFor(file, tools, before))
      standing = tools.map(({ tool }) => tool.contract.name)
      options.library?.set(file, library)
      return { file, tools: standing, warnings: warningsOf({ tools, library }, options) }
    } catch (error) {
      if (!isToolError(error)) throw error
      const kept = standing === before ? keptWarning(before) : []
      return { file, tools: standing, error: { message: error.message }, warnings: kept }
    }
  }

  return {
    async load() {
      const files = await findFiles()
      // One after the other: when two files want one name, the first by path has it, every time.
      for (const file of files) await loadFile(file)
      return [...reports.values()]
    },
    async reload(changed) {
      reloadNumber += 1
      const files = new Set(await findFiles())
      const removed = [...reports.values()].filter((report) => !files.has(report.file))
      for (const report of removed) {
        reports.delete(report.file)
        for (const name of report.tools) registry.remove(name)
        options.library?.remove(report.file)
      }
      const touched = [...files].filter((file) => isTouched(file, changed, reports))
      const loaded: LoadReport[] = []
      for (const file of touched) loaded.push(await loadFile(file))
      return { files: loaded, removed: removed.flatMap((report) => report.tools) }
    },
    reports: () => [...reports.values()],
    dependencies() {
      const all = [...reports.keys()].flatMap((file) => [...filesBehind(file)])
      return [...new Set(all)].filter((file) => !isToolFile(file))
    },
  }
}

/** Tools that ask for it run in a worker, which loads the same module again. */
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
type FoundTool = { tool: Tool; pack?: Pack }

function isTouched(
  file: string,
  changed: readonly string[],
  reports: Map<string, LoadReport>,
): boolean {
  if (!reports.has(file)) return true
  // A name that was taken may be free now: files in error are always tried again.
  if (reports.get(file)?.error !== undefined) return true
  const behind = filesBehind(file)
  return changed.some((path) => behind.has(path))
}

/** A file's tools change places in one step; those it no longer exports go. */
function changesFor(
  file: string,
  tools: readonly FoundTool[],
  before: readonly string[],
): RegistryChange[] {
  const names = new Set(tools.map(({ tool }) => tool.contract.name))
  const gone = before.filter((name) => !names.has(name))
  return [
    ...gone.map((name): RegistryChange => ({ type: 'remove', name })),
    ...tools.map(({ tool, pack }): RegistryChange => {
      const type = before.includes(tool.contract.name) ? 'replace' : 'register'
      return { type, tool, origin: { file, ...(pack && { pack }) } }
    }),
  ]
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
