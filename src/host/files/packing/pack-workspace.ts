import { statSync } from 'node:fs'
import path from 'node:path'
import type { PackBounds, PackedFile } from '../../../core/host/workspace-disk.ts'
import { toFileError } from '../file-error.ts'
import { type PackBudget, packTree } from './pack-tree.ts'

/** First the baseline: a file that comes later counts as new, and is not lost. */
export async function* packWorkspace(own: string, bounds: PackBounds): AsyncGenerator<PackedFile> {
  const budget: PackBudget = { ...bounds, usedBytes: 0, usedFiles: 0 }
  try {
    for (const part of ['base', 'files']) yield* packTree(path.join(own, part), part, budget)
  } catch (error) {
    if (statSync(own, { throwIfNoEntry: false }) !== undefined) throw toFileError(error, '.')
  }
  // It was removed in the meantime.
  if (statSync(own, { throwIfNoEntry: false }) === undefined) bounds.onNote('.', 'changed')
}
