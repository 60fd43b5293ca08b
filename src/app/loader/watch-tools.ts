import { watch } from 'chokidar'
import type { Loader, Reload } from './create-loader.ts'

/** Editors write a file in several steps; this long without a change means it is whole. */
const quietMs = 60

/** Reloads what changes in the folders, and in files outside that tools import. Returns the way to stop. */
export function watchTools(
  folders: readonly string[],
  loader: Loader,
  onReload: (reload: Reload & { durationMs: number }) => void,
): () => Promise<void> {
  const watcher = watch([...folders], {
    ignoreInitial: true,
    ignored: (path) =>
      /(?:^|[\\/])(?:node_modules|\.[^\\/]+)(?:[\\/]|$)/.test(
        path.slice(prefixLength(folders, path)),
      ),
  })
  watcher.add(loader.dependencies())
  let changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()

  async function reload(): Promise<void> {
    const paths = [...changed]
    changed = new Set()
    const startedAt = performance.now()
    const result = await loader.reload(paths)
    watcher.add(loader.dependencies())
    if (result.files.length === 0 && result.removed.length === 0) return
    onReload({ ...result, durationMs: Math.round(performance.now() - startedAt) })
  }
  watcher.on('all', (_event, path) => {
    changed.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => {
      // One at a time: a second save during a reload is a second reload. A vanished folder is the next one's news.
      last = last.then(reload, reload).catch(() => undefined)
    }, quietMs)
  })
  return async () => {
    clearTimeout(timer)
    await watcher.close()
    await last
  }
}

/** Only what lies below the watched folder is judged: the folder itself may well sit in a dot folder. */
function prefixLength(folders: readonly string[], path: string): number {
  const folder = folders.find((candidate) => path.startsWith(candidate))
  return folder === undefined ? path.length : folder.length
}
