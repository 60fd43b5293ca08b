import type { OfferedTool } from './tool-offer.ts'

/** The names under which coding models were trained on tools like these. */
const shortNames: Readonly<Record<string, string>> = {
  'shell.exec': 'bash',
  'file.read': 'read',
  'file.write': 'write',
  'file.edit': 'edit',
  'file.glob': 'glob',
  'file.grep': 'grep',
}

/**
 * Offers the file and shell tools under the short names that models know. A name that another tool
 * has already stays with that tool.
 */
export function toShortNames(tools: readonly OfferedTool[]): OfferedTool[] {
  const taken = new Set(tools.flatMap(({ name, wireName }) => [name, wireName]))
  return tools.map((tool) => {
    const short = shortNames[tool.name]
    if (short === undefined || tool.source !== 'builtin' || taken.has(short)) return tool
    return Object.freeze({ ...tool, wireName: short })
  })
}
