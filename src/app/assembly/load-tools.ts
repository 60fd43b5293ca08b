import type { Tool } from '../../core/kernel/tool.ts'
import type { LibrarySource } from '../../core/library/library-api.ts'
import { createGivenTools } from '../../core/sources/given-tools.ts'
import { assertNoneRefused } from '../../core/sources/tool-source.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { createCodeLibrary } from '../library/code-library.ts'
import { openToolWorkers } from '../open-tool-workers.ts'
import type { Parts } from '../parts.ts'
import { createLoader, type Reload } from '../loader/create-loader.ts'
import { type FollowedLoader, followToolFiles } from '../loader/follow-tool-files.ts'

interface LoadToolsOptions extends Pick<LoadedConfig, 'base' | 'folders' | 'mustFindFolders'> {
  /** Tools that are given as they are. */
  tools?: readonly Tool[]
  /** Reload files that change. */
  watch?: boolean
  onReload?: (reload: Reload & { durationMs: number }) => void
}

/** The tools of files and those that were given, in the registry. */
export interface LoadedTools {
  loader: FollowedLoader
  /** Prompts and resources of the files. */
  library: LibrarySource
  /** Resolves with the way to stop. */
  watch(): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** Loads the files of the folders and brings their tools in, then those that were given. */
export async function loadTools(
  { config, ports, store, sources, onWarning }: Parts,
  options: LoadToolsOptions,
): Promise<LoadedTools> {
  const { base, folders, mustFindFolders, tools } = options
  const library = createCodeLibrary()
  const isolator = openToolWorkers(config.limits)
  const { readEnv, registry } = ports
  const created = createLoader({
    folders,
    mustFindFolders,
    library,
    isolator,
    readEnv,
    others: registry,
  })
  const loader = followToolFiles(created, { base, events: store.events, onWarning })
  await sources.attach(loader.source)
  await loader.load()
  assertNoneRefused(await sources.attach(createGivenTools(tools)))
  return {
    loader,
    library,
    async watch() {
      if (options.watch !== true) return async () => undefined
      // Only while tools are written: a server that just runs needs no watcher.
      const { watchTools } = await import('../loader/watch-tools.ts')
      return watchTools(folders, loader, options.onReload ?? (() => undefined))
    },
    close: () => isolator.close(),
  }
}
