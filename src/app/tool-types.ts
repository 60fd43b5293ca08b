import { access } from 'node:fs/promises'
import path from 'node:path'
import { createRegistry, type Registry } from '../core/registry.ts'
import { createPackTools } from '../core/sources/pack-tools.ts'
import { assertNoneRefused } from '../core/sources/tool-source.ts'
import { createToolSources } from '../core/sources/tool-sources.ts'
import { printToolTypes } from '../core/schema/print-tool-types.ts'
import { notLoaded, typesFileName } from '../doors/cli/commands/tools/types.ts'
import type { CheckOptions, ToolTypes } from '../doors/cli/environment.ts'
import { writeIfChanged } from '../doors/cli/write-if-changed.ts'
import { packs } from '../tools/packs.ts'
import { loadConfig } from './config/load-config.ts'
import { createLoader } from './loader/create-loader.ts'

/** All tools of a project and the place of its configuration. Opens no store and runs no tool. */
export async function loadToolTypes(options: CheckOptions): Promise<ToolTypes> {
  const { base, folders, mustFindFolders } = await loadConfig({
    cwd: options.cwd,
    file: options.config,
    tools: options.tools,
  })
  const registry = createRegistry()
  const sources = createToolSources(registry)
  assertNoneRefused(await sources.attach(createPackTools(packs)))
  const loader = createLoader({
    folders,
    mustFindFolders,
    others: registry,
    readEnv: (names) => Object.fromEntries(names.map((name) => [name, ''])),
  })
  await sources.attach(loader.source)
  const broken = (await loader.load()).flatMap(({ file, error }) =>
    error === undefined ? [] : [{ file: path.relative(options.cwd, file), message: error.message }],
  )
  if (broken.length > 0) throw notLoaded(broken)
  return { folder: base, contracts: contractsOf(registry) }
}

/** Keeps the types of a project up to date if it has them already, or uses TypeScript. */
export async function keepToolTypes({ cwd, config }: Pick<CheckOptions, 'cwd' | 'config'>) {
  const folder = config === undefined ? cwd : path.dirname(config)
  const file = path.join(folder, typesFileName)
  const isWanted = (await exists(file)) || (await exists(path.join(folder, 'tsconfig.json')))
  let last: Promise<unknown> = Promise.resolve()
  return {
    /**
     * Writes types for the current registry. A file that can't be written does not stop the server.
     */
    update(registry: Registry): void {
      if (!isWanted) return
      const text = printToolTypes(contractsOf(registry))
      last = last.then(() => writeIfChanged(file, text)).catch(() => undefined)
    },
    settled: () => last,
  }
}

function contractsOf(registry: Registry) {
  return registry.list().map(({ tool }) => tool.contract)
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
