/** A name for a downloaded body, from its header or its address. */
export function fileNameOf(url: string, disposition: string | null): string {
  const given = /filename\s*=\s*"?([^";]+)/i.exec(disposition ?? '')?.[1]
  const last = URL.parse(url)
    ?.pathname.split('/')
    .findLast((part) => part !== '')
  const name = (given ?? (last && decoded(last)) ?? '').split(/[/\\]/).at(-1) ?? ''
  const clean = name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').slice(-100)
  return clean === '' || /^\.+$/.test(clean) ? 'download' : clean
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
