import { useSyncExternalStore } from 'react'
import { kept } from '../../api/storage.ts'

/** A tool remembered on this device. */
export interface KeptTool {
  name: string
  title: string
}

const mostRecent = 6
const mostPinned = 24
const listeners = new Set<() => void>()
const lists = new Map<string, readonly KeptTool[]>()

/** Pinned and recent tools, stored on this device only. */
export const keptTools = {
  pinned: () => readList('pinned-tools'),
  recent: () => readList('recent-tools'),
  /** Pins or unpins a tool. */
  togglePin(tool: KeptTool) {
    const before = readList('pinned-tools')
    const others = before.filter(({ name }) => name !== tool.name)
    const isPinned = others.length < before.length
    writeList('pinned-tools', isPinned ? others : [...others, tool].slice(-mostPinned))
  },
  visit(tool: KeptTool) {
    const others = readList('recent-tools').filter(({ name }) => name !== tool.name)
    writeList('recent-tools', [tool, ...others].slice(0, mostRecent))
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

export function usePinnedTools(): readonly KeptTool[] {
  return useSyncExternalStore(keptTools.subscribe, keptTools.pinned)
}

export function useRecentTools(): readonly KeptTool[] {
  return useSyncExternalStore(keptTools.subscribe, keptTools.recent)
}

function readList(list: string): readonly KeptTool[] {
  const known = lists.get(list)
  if (known !== undefined) return known
  const read = parseList(kept.read(list))
  lists.set(list, read)
  return read
}

/** The browser's storage may contain anything. */
function parseList(text: string | null): readonly KeptTool[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isKeptTool) : []
  } catch {
    return []
  }
}

function isKeptTool(value: unknown): value is KeptTool {
  if (typeof value !== 'object' || value === null) return false
  const { name, title } = value as Partial<KeptTool>
  return typeof name === 'string' && typeof title === 'string'
}

function writeList(list: string, tools: readonly KeptTool[]): void {
  lists.set(list, tools)
  kept.write(list, JSON.stringify(tools))
  for (const listener of listeners) listener()
}
