import type { TenantView } from '../rules/tenant-view.ts'
import type { OwnTool, ToolOverrides } from '../tenant-tables.ts'

/** The owner of tools: everyone, or one tenant. */
export type ToolOwner = 'everyone' | TenantView

/**
 * A source of tools: files, the configuration, packs, MCP servers, agents. Any other source
 * (authored tools, imported APIs) implements this interface; the rest of the code reads the origin
 * of a tool from its contract.
 */
export interface ToolSource {
  /** Unique among the attached sources. */
  readonly name: string
  /** Leaves out a tool whose name another source has, instead of having it refused. */
  readonly isYielding?: boolean
  /**
   * The current tools, without waiting for anything external. An unchanged tool is the same object
   * as before. Those with the same `origin.file` are registered together or not at all.
   */
  toolsFor(owner: ToolOwner): Promise<readonly OwnTool[]>
  /**
   * An earlier version of one of its tools, by the version that was recorded with a call; undefined
   * if it is not kept. A call that was stopped continues with the version it began with.
   */
  findVersion?(owner: ToolOwner, name: string, version: string): Promise<OwnTool | undefined>
  /** The tenant's changes to tools of others. An unchanged one is the same object as before. */
  overridesFor?(owner: TenantView): ToolOverrides
  /** Passed once, when the source is attached: the callback for changes. */
  watch?(changed: SourceChanged): void
}

/**
 * Resolves when the registry has the source's current tools, with the refused ones. With a tenant,
 * that tenant's own tools are updated instead of the shared ones.
 */
export type SourceChanged = (tenant?: string) => Promise<readonly RefusedTools[]>

/** Tools that were refused: their previous versions, if any, stay in use. */
export interface RefusedTools {
  /** The file that they come from, if any. */
  file: string | undefined
  error: Error
}

/** For sources whose tools must all be accepted. */
export function assertNoneRefused([first]: readonly RefusedTools[]): void {
  if (first !== undefined) throw first.error
}
