import { variableEnd, variableStart } from './split-command.ts'

/** `X-Api-Key` → `x_api_key`: a key of an input or the name of a secret. */
export function toKey(text: string): string {
  const words = text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase()
    .slice(0, 50)
  return /^[a-z]/.test(words) ? words : `value${words === '' ? '' : `_${words}`}`
}

/** The part of a host that names its owner: `api.stripe.com` → `stripe`. */
export function toPack(hostname: string): string {
  const labels = hostname.split('.')
  const second = labels.at(-2) ?? ''
  const isSuffix = labels.length > 2 && /^(?:co|com|org|net|ac|gov|edu)$/.test(second)
  const owner = isSuffix ? labels.at(-3) : labels.length > 1 ? second : labels[0]
  const isAddress = /^[\d.]+$|:/.test(hostname)
  const name = (owner ?? '').toLowerCase().replaceAll(/[^a-z0-9_-]/g, '')
  return isAddress || !/^[a-z]/.test(name) ? 'api' : name.slice(0, 40)
}

const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'check',
  POST: 'create',
  PUT: 'replace',
  PATCH: 'change',
  DELETE: 'delete',
}

/** `POST /v1/customers/cus_1/notes` → `create-notes`. */
export function toVerb(method: string, path: string): string {
  const nouns = path
    .split('/')
    .filter((part) => /^[A-Za-z][A-Za-z_-]{1,40}$/.test(part) && !/^(?:api|rest|v\d+)$/i.test(part))
  const noun = (nouns.at(-1) ?? 'request').toLowerCase().replaceAll('_', '-')
  return `${verbs[method] ?? 'send'}-${noun}`
}

/** Keys that are not taken yet: `id`, `id_2`. */
export function createKeys(): (wanted: string) => string {
  const taken = new Set<string>()
  return (wanted) => {
    const base = toKey(wanted)
    let key = base
    for (let count = 2; taken.has(key); count += 1) key = `${base}_${count}`
    taken.add(key)
    return key
  }
}

const variable = new RegExp(`${variableStart}(\\w+)${variableEnd}`, 'g')

/** The shell variable that a text consists of. */
export function wholeVariable(text: string): string | undefined {
  const found = [...text.matchAll(variable)]
  return found.length === 1 && found[0]?.[0] === text ? found[0][1] : undefined
}

/** A text for a template: its own braces stay braces, and `fill` gives what stands for a variable. */
export function toTemplate(text: string, fill: (variable: string) => string): string {
  return text
    .replaceAll('{{', String.raw`\{{`)
    .replaceAll(variable, (_, name: string) => fill(name))
}
