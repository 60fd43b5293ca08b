/** The parameters after the question mark as an object: one value each, a list when repeated. */
export function toQueryObject(url: string): Record<string, string | string[]> {
  const start = url.indexOf('?')
  const query: Record<string, string | string[]> = Object.create(null)
  if (start === -1) return query
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    const earlier = query[name]
    if (earlier === undefined) query[name] = value
    else query[name] = [earlier, value].flat()
  }
  return query
}
