import type { Json, JsonObject } from '../model.ts'
import { listIn, recordIn, textIn, textsIn } from './values.ts'

const mostServers = 50

/** The absolute addresses of servers: variables with their defaults, relative ones at the document’s. */
export function readServers(servers: readonly Json[], origin: string | undefined): string[] {
  const found = servers.slice(0, mostServers).flatMap((server) => {
    const template = textIn(server, 'url', 2000)
    return template === undefined ? [] : toAddress(fill(template, server), origin)
  })
  return [...new Set(found)]
}

/** The addresses that Swagger 2 builds from three fields. */
export function readSwaggerServers(root: JsonObject, origin: string | undefined): string[] {
  const host = textIn(root, 'host', 500)
  const path = textIn(root, 'basePath', 500) ?? '/'
  const own = origin === undefined ? 'https' : new URL(origin).protocol.replace(':', '')
  const schemes = textsIn(root, 'schemes').filter((scheme) => /^https?$/.test(scheme))
  const used = schemes.length > 0 ? schemes.sort().toReversed() : [own]
  if (host === undefined) return toAddress(path, origin)
  return used.flatMap((scheme) => toAddress(`${scheme}://${host}${path}`, undefined))
}

function fill(template: string, server: Json): string {
  const variables = recordIn(server, 'variables')
  return template.replaceAll(/\{([^{}]+)\}/g, (all, name: string) => {
    const variable = recordIn(variables, name)
    return textIn(variable, 'default', 500) ?? textsIn(variable, 'enum')[0] ?? all
  })
}

function toAddress(text: string, origin: string | undefined): string[] {
  const url = URL.parse(text, origin)
  if (url === null || !/^https?:$/.test(url.protocol) || /[{}]|%7B/i.test(url.href)) return []
  if (url.username !== '' || url.password !== '') return []
  url.hash = ''
  url.search = ''
  return [url.href.replace(/\/+$/, '')]
}

/** The servers that an operation, or the path it is on, has for itself. */
export function ownServer(
  holders: readonly (JsonObject | undefined)[],
  origin: string | undefined,
): string | undefined {
  for (const holder of holders) {
    const [first] = readServers(listIn(holder, 'servers'), origin)
    if (first !== undefined) return first
  }
  return undefined
}
