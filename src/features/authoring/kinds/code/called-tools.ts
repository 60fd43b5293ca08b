/** The tools that a program calls, as far as its text shows. */
export interface CalledTools {
  /** Each with its line. */
  names: ReadonlyMap<string, number>
  /** It computes names: any tool may be called. */
  isDynamic: boolean
}

const member = String.raw`(?:\s*\??\.\s*[A-Za-z_$][\w$]*|\s*\[\s*(?:'[^'\n]*'|"[^"\n]*")\s*\])`
const path = new RegExp(String.raw`\btools(${member}+)\s*\(`, 'g')
const named = /\bcallTool\s*\(\s*(?:'([^'\n]*)'|"([^"\n]*)")/g
const computed = /\bcallTool\s*\(\s*(?!\s*['"])|\btools\s*\[\s*(?!\s*['"])/
const key = /\.\s*([A-Za-z_$][\w$]*)|\[\s*(?:'([^']*)'|"([^"]*)")\s*\]/g

/** Reads a program without running it. Names that are put together at run time are not found. */
export function findCalledTools(source: string): CalledTools {
  const names = new Map<string, number>()
  const add = (name: string, at: number) => {
    if (!names.has(name)) names.set(name, source.slice(0, at).split('\n').length)
  }
  for (const match of source.matchAll(path)) {
    const keys = [...(match[1] ?? '').matchAll(key)]
    add(
      keys.map(([, plain, single, double]) => plain ?? single ?? double ?? '').join('.'),
      match.index,
    )
  }
  for (const match of source.matchAll(named)) add(match[1] ?? match[2] ?? '', match.index)
  return { names, isDynamic: computed.test(source) }
}
