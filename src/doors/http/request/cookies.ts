/**
 * Cookies of this server. They ignore the port, so it is part of the name: two cribs on one machine
 * stay apart. Behind https a prefix keeps other hosts of the domain from setting them.
 */
export function cookieName(url: string, purpose: 'sign-in' | 'oidc'): string {
  const { port, protocol } = new URL(url)
  const name = `toolcrib${purpose === 'sign-in' ? '' : `_${purpose}`}`
  return `${protocol === 'https:' ? '__Host-' : ''}${name}${port === '' ? '' : `_${port}`}`
}

/** A Set-Cookie value. Without a value it removes the cookie. */
export function toCookie(
  url: string,
  purpose: 'sign-in' | 'oidc',
  cookie?: { value: string; maxAgeSeconds: number },
): string {
  const secure = url.startsWith('https:') ? '; Secure' : ''
  const { value, maxAgeSeconds } = cookie ?? { value: '', maxAgeSeconds: 0 }
  return `${cookieName(url, purpose)}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

/** The value of one cookie in a Cookie header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    if (at !== -1 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}
