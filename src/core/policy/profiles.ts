/**
 * A named list of patterns that levels and agents refer to. Its `deny` overrides every `allow`
 * beside it.
 */
export interface Profile {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

export type Profiles = Readonly<Record<string, Profile>>

/** The built-in profiles. */
export const shippedProfiles = {
  /** Read-only. */
  minimal: { allow: ['file.read', 'file.list', 'web.fetch', 'system.info'], deny: [] },
  /** For talking with people and looking things up: reads files, but starts no processes. */
  messaging: {
    allow: [
      'file.read',
      'file.list',
      'system.info',
      'group:web',
      'group:memory',
      'group:knowledge',
      'group:media',
      'group:session',
    ],
    deny: [],
  },
  /** For working on a project: files, processes, git, and its knowledge. */
  coding: {
    allow: [
      'system.info',
      'group:fs',
      'group:runtime',
      'group:git',
      'group:web',
      'group:browser',
      'group:memory',
      'group:knowledge',
      'group:session',
    ],
    deny: [],
  },
  full: { allow: ['*'], deny: [] },
} as const satisfies Profiles

/**
 * A profile by name. The built-in one wins: a level that uses `minimal` must never be widened by
 * another profile with that name.
 */
export function findProfile(name: string, profiles: Profiles): Profile | undefined {
  const shipped: Profiles = shippedProfiles
  if (Object.hasOwn(shipped, name)) return shipped[name]
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined
}

/** Every valid name after `profile:`. */
export function listProfiles(profiles: Profiles): string[] {
  return [...new Set([...Object.keys(shippedProfiles), ...Object.keys(profiles)])]
}
