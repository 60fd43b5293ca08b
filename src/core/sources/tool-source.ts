import type { TenantView } from '../rules/tenant-view.ts'
import type { OwnTool } from '../tenant-tables.ts'

/** Whose tools are asked for: those that everyone has, or what one tenant has for itself. */
export type ToolOwner = 'everyone' | TenantView

/**
 * Where tools come from: files, the configuration, packs, MCP servers, agents. Whatever else brings tools
 * in (authored tools, imported APIs) implements this, and nothing else asks where a tool came from:
 * its contract says so.
 */
export interface ToolSource {
  /** Unique among the sources that are attached. */
  readonly name: string
  /** Leaves out a tool whose name another source has, instead of having it refused. */
  readonly isYielding?: boolean
  /**
   * What there is now, without waiting for the outside. A tool that hasn't changed is the same object
   * as before. Those with the same `origin.file` come in together or not at all.
   */
  toolsFor(owner: ToolOwner): Promise<readonly OwnTool[]>
  /** Given once, when the source is attached: the way to say that there is something else now. */
  watch?(changed: SourceChanged): void
}

/**
 * Resolves when the registry has what the source has now, with what was refused. With a tenant, its
 * own tools are looked at instead of everyone's.
 */
export type SourceChanged = (tenant?: string) => Promise<readonly RefusedTools[]>

/** Tools that did not get in: those before them, if any, are still in use. */
export interface RefusedTools {
  /** The file that they are from, if they are from one. */
  file: string | undefined
  error: Error
}

/** For sources that must come in whole. */
export function assertNoneRefused([first]: readonly RefusedTools[]): void {
  if (first !== undefined) throw first.error
}
