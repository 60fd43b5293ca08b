import type { Stats } from 'node:fs'
import type { WorkspaceChange } from '../../../core/host/workspace-disk.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import { unifiedDiff } from '../../../core/kernel/text/diff/unified-diff.ts'
import { hasErrno } from '../file-error.ts'
import { lookAt } from '../find-place.ts'
import { openRootFolder } from '../folder.ts'
import { openFile, readPart } from '../open-file.ts'
import { type Found, walkTree } from '../walk-tree.ts'
import type { Baseline } from './baseline.ts'
import type { KnownFile } from './manifest.ts'

/** A larger file is shown without its changes. */
const largestDiffed = 262_144
/** Beyond this much text, files are named without their changes. */
const mostText = 4_194_304

/** Every file that differs from the baseline, by path. */
export async function findChanges(
  root: string,
  baseline: Baseline,
  limit: number,
): Promise<{ changes: WorkspaceChange[]; isPartial: boolean }> {
  const known = await baseline.files()
  const seen = new Set<string>()
  const changes: WorkspaceChange[] = []
  const budget = { text: mostText }
  const folder = openRootFolder(root)
  try {
    const { isPartial } = await walkTree(folder, {
      async visit(found) {
        const facts = found.kind === 'file' ? lookAt(found.folder, found.name) : undefined
        if (facts === undefined) return true
        seen.add(found.path)
        const change = await compare(found, facts, { known, baseline, budget })
        if (change !== undefined) changes.push(change)
        return changes.length <= limit
      },
    })
    const isFull = changes.length > limit
    // A walk that ended early proves nothing about the rest.
    const gone = isPartial || isFull ? [] : [...known].filter(([path]) => !seen.has(path))
    for (const [path, before] of gone) {
      changes.push(await toDeleted(path, before, { baseline, budget }))
    }
    const sorted = changes.sort((one, other) => (one.path < other.path ? -1 : 1))
    return { changes: sorted.slice(0, limit), isPartial: isPartial || sorted.length > limit }
  } finally {
    folder.close()
  }
}

/** The baseline of everything that is there now. */
export async function takeManifest(root: string): Promise<Map<string, KnownFile>> {
  const files = new Map<string, KnownFile>()
  const folder = openRootFolder(root)
  try {
    await walkTree(folder, {
      visit(found) {
        const facts = found.kind === 'file' ? lookAt(found.folder, found.name) : undefined
        if (facts !== undefined) {
          files.set(found.path, { size: facts.size, mtimeMs: facts.mtimeMs })
        }
        return true
      },
    })
    return files
  } finally {
    folder.close()
  }
}

interface Sources {
  baseline: Baseline
  budget: { text: number }
}

async function compare(
  found: Found,
  facts: Stats,
  { known, ...sources }: Sources & { known: ReadonlyMap<string, KnownFile> },
): Promise<WorkspaceChange | undefined> {
  const before = known.get(found.path)
  if (before?.size === facts.size && before.mtimeMs === facts.mtimeMs) return undefined
  const at = new Date(facts.mtimeMs).toISOString()
  const change = before === undefined ? 'added' : 'changed'
  const shown = { path: found.path, change, bytes: facts.size } as const
  const isLarge = facts.size > largestDiffed || sources.budget.text <= 0
  const after = isLarge ? undefined : await readNow(found, facts.size)
  if (after === undefined) return { ...shown, at }
  const old = change === 'added' ? undefined : await sources.baseline.old(found.path)
  if (old !== undefined && Buffer.compare(old, after) === 0) return undefined
  if (isBinary(after)) return { ...shown, isBinary: true, at }
  return { ...shown, ...showDiff(shown, { old, after }, sources), at }
}

/** Without the old content of a changed file, there is nothing to show. */
function showDiff(
  { path, change }: Pick<WorkspaceChange, 'path' | 'change'>,
  { old, after }: { old: Uint8Array | undefined; after: Uint8Array },
  sources: Sources,
): { diff?: string } {
  const isKnown = change === 'added' || (old !== undefined && !isBinary(old))
  return isKnown ? diffOf(path, { before: old && decode(old), after: decode(after) }, sources) : {}
}

async function toDeleted(
  path: string,
  before: KnownFile,
  sources: Sources,
): Promise<WorkspaceChange> {
  const old = await sources.baseline.old(path)
  const isText = old !== undefined && !isBinary(old) && old.length <= largestDiffed
  const diff = isText ? diffOf(path, { before: decode(old), after: undefined }, sources) : {}
  return { path, change: 'deleted', ...diff, bytes: 0, at: new Date(before.mtimeMs).toISOString() }
}

function diffOf(
  path: string,
  texts: { before: string | undefined; after: string | undefined },
  { budget }: Sources,
): { diff?: string } {
  const { text } = unifiedDiff({ path, ...texts })
  budget.text -= text.length
  return { diff: text }
}

async function readNow(found: Found, length: number): Promise<Uint8Array | undefined> {
  try {
    const file = openFile({ ...found, close: () => undefined }, found.path)
    try {
      return await readPart(file.fd, { offset: 0, length })
    } finally {
      file.close()
    }
  } catch (error) {
    if (isToolError(error) || hasErrno(error, 'ENOENT', 'EACCES', 'EPERM')) return undefined
    throw error
  }
}

function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8192).includes(0)
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
