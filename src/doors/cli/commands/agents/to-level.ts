import type { OptionValues } from '../../command.ts'

/**
 * The level from `--profile`, `--allow` and `--deny`; undefined without any of them. `--profile
 * none` removes the profile.
 */
export function toTools(
  options: OptionValues,
): { profile?: string | null; allow?: readonly string[]; deny?: readonly string[] } | undefined {
  const profile = options.text('profile')
  const [allow, deny] = [options.texts('allow'), options.texts('deny')]
  if (profile === undefined && allow.length === 0 && deny.length === 0) return undefined
  return {
    ...(profile !== undefined && { profile: profile === 'none' ? null : profile }),
    ...(allow.length > 0 && { allow: allow.flatMap(split) }),
    ...(deny.length > 0 && { deny: deny.flatMap(split) }),
  }
}

function split(patterns: string): string[] {
  return patterns.split(',').filter((pattern) => pattern !== '')
}
