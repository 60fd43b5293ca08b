/** Is this `npm run test:long`, which also tries the variants of what `npm test` tries once? */
export const isLongRun = process.env['TOOLCRIB_TEST_LONG'] !== undefined

/** These in `npm test`, and the others of them in the long run. Its files are listed in `vitest.config.ts`. */
export function variants<Variant>(always: readonly Variant[], more: readonly Variant[]): Variant[] {
  return [...(isLongRun ? more : always)]
}
