const escapes: Readonly<Record<string, string>> = {
  '"': String.raw`\"`,
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

/** As git quotes names: one with a line break must not look like a line of the diff. */
export function quoteName(path: string): string {
  const special = /["\\\p{Cc}]/gu
  if (!special.test(path)) return path
  const escape = (one: string) =>
    escapes[one] ?? `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`
  return `"${path.replaceAll(special, escape)}"`
}
