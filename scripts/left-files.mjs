import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What tools build and keep, which is nobody's to clear away. */
const keptFolders = new Set(['.git', '.tmp', 'coverage', 'dist', 'node_modules', 'results'])

/**
 * Notes what is in a folder, and later says what has come since. A data folder that a test leaves in
 * the checkout is ignored by git and seen by nobody, until `npm start` takes it for its own.
 *
 * @param {string} folder
 * @returns {() => string[]} the files that are new, as paths within the folder
 */
export function watchForFiles(folder) {
  const before = new Set(listFiles(folder))
  return () => listFiles(folder).filter((file) => !before.has(file))
}

function listFiles(folder, within = '') {
  return readdirSync(join(folder, within), { withFileTypes: true }).flatMap((entry) => {
    const path = join(within, entry.name)
    if (!entry.isDirectory()) return [path]
    return keptFolders.has(entry.name) ? [] : listFiles(folder, path)
  })
}
