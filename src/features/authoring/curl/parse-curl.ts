import { ToolError } from '../../../core/kernel/errors.ts'
import { splitCommand } from './split-command.ts'

/** One part of a body: a field of a form, or text as it is. */
export interface CurlField {
  name: string
  value: string
  isFile: boolean
}

/** The request of a cURL command. */
export interface CurlRequest {
  method: string
  url: string
  headers: [name: string, value: string][]
  /** Of `-u`: user and password. */
  user: string | undefined
  body: { kind: 'text'; text: string } | { kind: 'form'; fields: CurlField[] } | undefined
  /** Options that a tool can't have, such as a client certificate. */
  ignored: string[]
}

const maxChars = 200_000

/** Options with a value that changes nothing of the request. */
const silentValues = new Set(
  '-o --output -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -w --write-out -c --cookie-jar --max-redirs --limit-rate --resolve --dns-servers --trace --trace-ascii -D --dump-header --stderr'.split(
    ' ',
  ),
)
/** Options with a value that a tool can't have. */
const lostValues = new Set(
  '-x --proxy -U --proxy-user -E --cert --key --cacert --capath --pinnedpubkey --interface --unix-socket --socks5 -T --upload-file -K --config --netrc-file --aws-sigv4'.split(
    ' ',
  ),
)
const lostFlags = new Set([
  '-k',
  '--insecure',
  '--digest',
  '--ntlm',
  '--negotiate',
  '-n',
  '--netrc',
])

/** Long names of the short options that are read. */
const longNames: Readonly<Record<string, string>> = {
  '-X': '--request',
  '-H': '--header',
  '-d': '--data',
  '-F': '--form',
  '-G': '--get',
  '-I': '--head',
  '-u': '--user',
  '-b': '--cookie',
  '-A': '--user-agent',
  '-e': '--referer',
}

interface Reading {
  method?: string
  urls: string[]
  headers: [string, string][]
  user?: string
  data: string[]
  fields: CurlField[]
  isGet: boolean
  isHead: boolean
  ignored: string[]
}

/** Reads a pasted cURL command. Nothing is run, no file is read. Throws `invalid_input`. */
export function parseCurl(text: string): CurlRequest {
  if (text.length > maxChars) throw invalid(`is longer than ${maxChars} characters`)
  const [command = '', ...words] = splitCommand(text.trim().replace(/^\$\s+/, ''))
  if (!/^(?:.*[/\\])?curl(?:\.exe)?$/i.test(command)) {
    throw invalid('is not a cURL command', 'Paste a line that starts with curl.')
  }
  const reading: Reading = {
    urls: [],
    headers: [],
    data: [],
    fields: [],
    isGet: false,
    isHead: false,
    ignored: [],
  }
  const rest = words.flatMap(splitOption)
  while (rest.length > 0) readOption(rest.shift() ?? '', rest, reading)
  return toRequest(reading)
}

/** `-XPOST`, `-sSL` and `--url=…` as separate words. */
function splitOption(word: string): string[] {
  const long = /^(--[a-z0-9-]+)=([\s\S]*)$/.exec(word)
  if (long !== null) return [long[1] ?? '', long[2] ?? '']
  if (!/^-[A-Za-z]./.test(word)) return [word]
  const letter = word.slice(0, 2)
  const takesValue = 'XHdFubAeomwcxUETKD'.includes(letter[1] ?? '')
  return takesValue ? [letter, word.slice(2)] : [letter, ...splitOption(`-${word.slice(2)}`)]
}

function readOption(word: string, rest: string[], reading: Reading): void {
  if (!word.startsWith('-') || word === '-') {
    reading.urls.push(word)
    return
  }
  const name = longNames[word] ?? word
  if (lostFlags.has(word)) reading.ignored.push(word)
  else if (lostValues.has(word)) {
    rest.shift()
    reading.ignored.push(word)
  } else if (silentValues.has(word)) rest.shift()
  else if (Object.hasOwn(readers, name)) readers[name]?.(() => rest.shift() ?? '', reading)
}

type Reader = (next: () => string, reading: Reading) => void

const addData: Reader = (next, { data }) => void data.push(next())
const addHeader =
  (name: string): Reader =>
  (next, { headers }) =>
    void headers.push([name, next()])

const readers: Readonly<Record<string, Reader>> = {
  '--request': (next, reading) => void (reading.method = next().toUpperCase()),
  '--url': (next, { urls }) => void urls.push(next()),
  '--header': (next, { headers }) => {
    const [, name = '', value = ''] = /^([^:;]+)[:;]\s*([\s\S]*)$/.exec(next()) ?? []
    if (name !== '') headers.push([name.trim().toLowerCase(), value.trim()])
  },
  '--user': (next, reading) => void (reading.user = next()),
  '--oauth2-bearer': (next, { headers }) =>
    void headers.push(['authorization', `Bearer ${next()}`]),
  '--cookie': addHeader('cookie'),
  '--user-agent': addHeader('user-agent'),
  '--referer': addHeader('referer'),
  '--data': addData,
  '--data-raw': addData,
  '--data-ascii': addData,
  '--data-binary': addData,
  '--data-urlencode': (next, { data }) => void data.push(toEncoded(next())),
  '--json': (next, reading) => {
    reading.data.push(next())
    reading.headers.push(['content-type', 'application/json'])
  },
  '--form': (next, { fields }) => void fields.push(toField(next())),
  '--form-string': (next, { fields }) => void fields.push({ ...toField(next()), isFile: false }),
  '--get': (_, reading) => void (reading.isGet = true),
  '--head': (_, reading) => void (reading.isHead = true),
}

/** `name=text` and `text`: only the text is encoded. */
function toEncoded(given: string): string {
  const at = given.indexOf('=')
  const name = given.slice(0, Math.max(0, at))
  return `${name}${name === '' ? '' : '='}${encodeURIComponent(given.slice(at + 1))}`
}

function toField(given: string): CurlField {
  const at = given.indexOf('=')
  const name = at < 0 ? given : given.slice(0, at)
  const value = at < 0 ? '' : given.slice(at + 1)
  return { name, value: value.replace(/;type=[^;]*$/, ''), isFile: /^[@<]/.test(value) }
}

function toRequest(reading: Reading): CurlRequest {
  const { method, urls, headers, user, data, fields, isGet, isHead, ignored } = reading
  const [given] = urls
  if (given === undefined || given === '') throw invalid('has no address')
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`
  const text = data.join('&')
  const joined = address.includes('?') ? `${address}&${text}` : `${address}?${text}`
  const url = isGet && data.length > 0 ? joined : address
  const body = toBody(isGet ? [] : data, fields)
  const usual = isHead ? 'HEAD' : body === undefined ? 'GET' : 'POST'
  return { method: method ?? usual, url, headers, user, body, ignored }
}

function toBody(data: readonly string[], fields: CurlField[]): CurlRequest['body'] {
  if (fields.length > 0) return { kind: 'form', fields }
  return data.length === 0 ? undefined : { kind: 'text', text: data.join('&') }
}

function invalid(what: string, fix?: string): ToolError {
  return new ToolError('invalid_input', `The text ${what}`, {
    issues: [{ path: '/curl', message: what }],
    ...(fix !== undefined && { fix }),
  })
}
