const escapes: Readonly<Record<string, string>> = {
  '"': String.raw`\"`,
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

/** As git quotes names: one with a line break must not look like a line of the diff. */
export function quoteName(path: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what has to be quoted
  const special = /["\\\u0000-\u001F\u007F]/g
  if (!special.test(path)) return path
  const escape = (one: string) =>
    escapes[one] ?? `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`
  return `"${path.replaceAll(special, escape)}"`
}
