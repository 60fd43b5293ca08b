/** Group name → its patterns. */
export type ToolGroups = Readonly<Record<string, readonly string[]>>

/**
 * The built-in groups. They name packs, so that a tool belongs to one by its pack and not by its
 * name; other packs join through their own `groups`.
 */
export const shippedGroups = {
  fs: ['pack:file'],
  runtime: ['pack:shell', 'pack:process', 'pack:code'],
  web: ['pack:web'],
  memory: ['pack:memory'],
  knowledge: ['pack:knowledge'],
  browser: ['pack:browser'],
  git: ['pack:git'],
  media: ['pack:media', 'pack:image', 'pack:audio', 'pack:video'],
  session: ['pack:session', 'pack:agents'],
  admin: ['pack:admin', 'pack:schedule'],
} as const satisfies ToolGroups

/**
 * The patterns of a group; a given group contains the built-in one of its name, so it is looked up
 * first.
 */
export function findGroup(name: string, groups: ToolGroups): readonly string[] | undefined {
  if (Object.hasOwn(groups, name)) return groups[name]
  const shipped: ToolGroups = shippedGroups
  return Object.hasOwn(shipped, name) ? shipped[name] : undefined
}

/** Every valid name after `group:`. */
export function listGroups(groups: ToolGroups): string[] {
  return [...new Set([...Object.keys(shippedGroups), ...Object.keys(groups)])]
}
