import type { StreamParser } from '@codemirror/streamparser'

/** The rules of a language; their state is nobody's business but theirs. */
export type Parser = StreamParser<unknown>

type Load = () => Promise<Parser>

const javascript = async () => import('@codemirror/legacy-modes/mode/javascript')
const clike = async () => import('@codemirror/legacy-modes/mode/clike')
const css = async () => import('@codemirror/legacy-modes/mode/css')
const sql = async () => import('@codemirror/legacy-modes/mode/sql')
const xml = async () => import('@codemirror/legacy-modes/mode/xml')
const python = async () => import('@codemirror/legacy-modes/mode/python')
const shell = async () => import('@codemirror/legacy-modes/mode/shell')

/** Each language comes with the first text in it: a few kilobytes. */
const parsers = {
  javascript: async () => (await javascript()).javascript,
  typescript: async () => (await javascript()).typescript,
  json: async () => (await javascript()).json,
  python: async () => (await python()).python,
  shell: async () => (await shell()).shell,
  c: async () => (await clike()).c,
  cpp: async () => (await clike()).cpp,
  java: async () => (await clike()).java,
  csharp: async () => (await clike()).csharp,
  kotlin: async () => (await clike()).kotlin,
  scala: async () => (await clike()).scala,
  dart: async () => (await clike()).dart,
  css: async () => (await css()).css,
  scss: async () => (await css()).sCSS,
  less: async () => (await css()).less,
  sql: async () => (await sql()).standardSQL,
  xml: async () => (await xml()).xml,
  html: async () => (await xml()).html,
  go: async () => (await import('@codemirror/legacy-modes/mode/go')).go,
  rust: async () => (await import('@codemirror/legacy-modes/mode/rust')).rust,
  ruby: async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby,
  yaml: async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml,
  toml: async () => (await import('@codemirror/legacy-modes/mode/toml')).toml,
  lua: async () => (await import('@codemirror/legacy-modes/mode/lua')).lua,
  perl: async () => (await import('@codemirror/legacy-modes/mode/perl')).perl,
  swift: async () => (await import('@codemirror/legacy-modes/mode/swift')).swift,
  r: async () => (await import('@codemirror/legacy-modes/mode/r')).r,
  powershell: async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell,
  dockerfile: async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile,
  properties: async () => (await import('@codemirror/legacy-modes/mode/properties')).properties,
  protobuf: async () => (await import('@codemirror/legacy-modes/mode/protobuf')).protobuf,
  diff: async () => (await import('@codemirror/legacy-modes/mode/diff')).diff,
} satisfies Record<string, Load>

export type Language = keyof typeof parsers

/** Other names of the same languages: endings of files, names on code fences. */
const otherNames: Record<string, Language> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescript',
  jsonc: 'json',
  json5: 'json',
  webmanifest: 'json',
  ipynb: 'json',
  py: 'python',
  pyi: 'python',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  h: 'c',
  cc: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  'c++': 'cpp',
  cs: 'csharp',
  'c#': 'csharp',
  kt: 'kotlin',
  kts: 'kotlin',
  htm: 'html',
  vue: 'html',
  svelte: 'html',
  svg: 'xml',
  xsl: 'xml',
  plist: 'xml',
  golang: 'go',
  rs: 'rust',
  rb: 'ruby',
  yml: 'yaml',
  pl: 'perl',
  pm: 'perl',
  ps1: 'powershell',
  proto: 'protobuf',
  ini: 'properties',
  cfg: 'properties',
  conf: 'properties',
  env: 'properties',
  patch: 'diff',
}

/** Files that go by their whole name. */
const fileNames: Record<string, Language> = {
  dockerfile: 'dockerfile',
  containerfile: 'dockerfile',
  '.bashrc': 'shell',
  '.zshrc': 'shell',
  '.profile': 'shell',
  '.env': 'properties',
  '.npmrc': 'properties',
  '.editorconfig': 'properties',
  gemfile: 'ruby',
  rakefile: 'ruby',
  'cargo.lock': 'toml',
}

/** The language by its name, and otherwise by the name of the file. */
export function findLanguage(name: string | undefined, path?: string): Language | undefined {
  const named = name === undefined ? undefined : byName(name)
  if (named !== undefined || path === undefined) return named
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (Object.hasOwn(fileNames, file)) return fileNames[file]
  const dot = file.lastIndexOf('.')
  return dot < 0 ? undefined : byName(file.slice(dot + 1))
}

function byName(said: string): Language | undefined {
  const name = said.toLowerCase()
  if (Object.hasOwn(parsers, name)) return name as Language
  return Object.hasOwn(otherNames, name) ? otherNames[name] : undefined
}

/** Loads the rules of a language. */
export function loadParser(language: Language): Promise<Parser> {
  return parsers[language]()
}
