import { toTool } from '../../../core/define-tool.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Finding } from '../../../core/kernel/finding.ts'
import { canonicalJson } from '../../../core/kernel/json/canonical-json.ts'
import type { Tool, ToolContract } from '../../../core/kernel/tool.ts'
import type { KnownTools } from '../../../core/sources/known-tools.ts'
import { compileDocument, type ReservedPacks } from '../model/compile-document.ts'
import type { HeldDocument } from './held-documents.ts'

/** A tool of a published document, or a stand-in with the reason why it can't be used. */
export interface MadeTool {
  hash: string
  tool: Tool
  problem?: string
  /** The facts it was made with, as text; undefined where they depend on nothing but the document. */
  derived?: string
}

interface Compiling {
  documents: ReadonlyMap<string, HeldDocument>
  /** The tools from before: unchanged ones stay the same objects. */
  before: ReadonlyMap<string, MadeTool>
  /** The tools of all other sources. */
  others: KnownTools
  reserved: ReservedPacks
}

/**
 * Makes tools of all documents of a tenant. A document that calls others is made after them, because
 * its effect is theirs; one that calls itself through others can't be used.
 */
export function compileAll(compiling: Compiling): Map<string, MadeTool> {
  const { documents, before, others, reserved } = compiling
  const made = new Map<string, MadeTool>()
  const open: string[] = []

  function make(name: string, held: HeldDocument): MadeTool {
    const known = made.get(name)
    if (known !== undefined) return known
    open.push(name)
    const compiled = compile(held)
    open.pop()
    made.set(name, compiled)
    return compiled
  }
  function compile(held: HeldDocument): MadeTool {
    const { hash, read } = held
    const earlier = before.get(held.name)
    const same = earlier?.hash === hash ? earlier : undefined
    if (read.document === undefined) return same ?? toBroken(held, read.findings)
    const { document, kind } = read
    if (same !== undefined && kind.uses === undefined) return same
    const cycle = kind.uses?.(document).find((name) => open.includes(name))
    if (cycle !== undefined) return toBroken(held, [callsItself([...open, cycle])])
    const derived = kind.derive(document, { find, names: () => [] })
    const text = canonicalJson(derived)
    if (same !== undefined && same.derived === text) return same
    const { tool, findings } = compileDocument(document, kind, { derived, reserved })
    if (tool === undefined) return { ...toBroken(held, findings), derived: text }
    return { hash, tool, derived: text }
  }
  function find(name: string): ToolContract | undefined {
    const own = documents.get(name)
    return others.find(name) ?? (own && make(name, own).tool.contract)
  }
  for (const [name, held] of documents) make(name, held)
  return made
}

function callsItself(chain: readonly string[]): Finding {
  const message = `calls itself: ${chain.join(' → ')}`
  return { path: '/spec', message, severity: 'error' }
}

/** Keeps the name in the list, so that people see what is wrong and where. */
function toBroken({ name, hash }: HeldDocument, findings: readonly Finding[]): MadeTool {
  const [first] = findings
  const said = first === undefined ? 'can not be read' : `${first.path} ${first.message}`.trim()
  const problem = `Its document ${said}`
  const tool = toTool(
    {
      name,
      pack: 'authored',
      source: 'authored',
      description: 'This tool can not be used until its document is mended.',
      effect: 'destructive',
      inputSchema: { type: 'object', properties: {} },
    },
    {
      execute() {
        throw new ToolError('invalid_tool', `${name} can not be used: ${problem}`)
      },
    },
  )
  return { hash, tool, problem }
}
