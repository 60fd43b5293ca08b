/** A named list of patterns that levels and agents refer to. Its `deny` wins over every `allow` beside it. */
export interface Profile {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

export type Profiles = Readonly<Record<string, Profile>>

/** The profiles every crib has. */
export const shippedProfiles = {
  /** Looks, but touches nothing. */
  minimal: { allow: ['file.read', 'file.list', 'web.fetch', 'system.info'], deny: [] },
  /** Talks with people and looks things up: no files beyond reading them, no processes. */
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
  /** Works on a project: files, processes, git, and what is known about them. */
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
 * A profile by name. The shipped one wins: a level that says `minimal` must never be widened by
 * somebody else's profile of that name.
 */
export function findProfile(name: string, profiles: Profiles): Profile | undefined {
  const shipped: Profiles = shippedProfiles
  if (Object.hasOwn(shipped, name)) return shipped[name]
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined
}

/** Every name that `profile:` may hold. */
export function listProfiles(profiles: Profiles): string[] {
  return [...new Set([...Object.keys(shippedProfiles), ...Object.keys(profiles)])]
}
