import type { Finding } from '../kernel/finding.ts'
import type { JsonSchema, Tool, ToolContract } from '../kernel/tool.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { checkPortability } from './portability.ts'
import { schemaEntries, schemasOf } from './document/keywords.ts'
import { listSchemas } from './document/list-schemas.ts'

/** One finding about a tool. `path` is a JSON pointer into its contract. */
export interface ToolFinding extends Finding {
  /** The rule's name: `example`, `portability`, `description`, … */
  rule: string
}

/** All findings of `toolcrib check` for one tool; empty when there are none. */
export function lintTool(tool: Tool): ToolFinding[] {
  const { contract } = tool
  return [
    ...checkWarnings(tool),
    ...checkDescription(contract),
    ...checkSchemas(tool),
    ...checkEffect(contract),
    ...checkSecrets(contract),
    ...toPortability(contract),
  ]
}

function checkWarnings({ warnings }: Tool): ToolFinding[] {
  return warnings.map(({ path, message }) =>
    path.startsWith('/examples/')
      ? {
          severity: 'error',
          rule: 'example',
          path,
          message: `the example does not match the schema: ${message}`,
        }
      : { severity: 'warning', rule: 'section', path, message },
  )
}

const shortestDescription = 20
const longestDescription = 1024

function checkDescription({ description, title, name }: ToolContract): ToolFinding[] {
  const findings: ToolFinding[] = []
  const add = (severity: ToolFinding['severity'], message: string) =>
    findings.push({ severity, rule: 'description', path: '/description', message })
  if (description.trim() === '') add('error', 'is empty: models choose tools by it')
  else if (description.length < shortestDescription) {
    add('warning', 'is very short; describe when to use the tool, and what to try first')
  }
  if (description.length > longestDescription) {
    add(
      'error',
      `has ${description.length} characters; some models accept at most ${longestDescription}`,
    )
  }
  const said = description.toLowerCase().replaceAll(/[\s.!]+$/g, '')
  if (said === title.toLowerCase() || said === name)
    add('warning', 'only repeats the title; describe when to use the tool')
  return findings
}

function checkSchemas({ contract, isDynamic, warnings }: Tool): ToolFinding[] {
  const findings: ToolFinding[] = []
  if (contract.outputSchema === undefined && !isDynamic) {
    findings.push({
      severity: 'warning',
      rule: 'output-schema',
      path: '/outputSchema',
      message:
        'is missing; with it, output is checked, shown in sections, and typed for other programs',
    })
  }
  const keys = schemaEntries(contract.inputSchema, 'properties')
  const hadExamples = warnings.some(({ path }) => path.startsWith('/examples/'))
  if (contract.examples.length === 0 && !hadExamples && keys.length > 0) {
    findings.push({
      severity: 'warning',
      rule: 'example',
      path: '/examples',
      message: 'are missing; one shows people and models what a good input is',
    })
  }
  return [...findings, ...checkKeyDescriptions(contract.inputSchema)]
}

function checkKeyDescriptions(input: JsonSchema): ToolFinding[] {
  const keys = listSchemas(input).filter(({ keyword }) => keyword === 'properties')
  const silent = keys.filter(({ schema }) => isRecord(schema) && !isDescribed(schema))
  return silent.map(({ path }) => ({
    severity: 'warning',
    rule: 'key-description',
    path: `/inputSchema${path}`,
    message: 'has no description; describe what it is, its unit, and what null means',
  }))
}

/** A fixed value explains itself; a reference is described at its target, a nullable inside. */
function isDescribed(schema: JsonSchema): boolean {
  if (typeof schema['description'] === 'string' || 'const' in schema || '$ref' in schema)
    return true
  const branches = [...schemasOf(schema, 'anyOf'), ...schemasOf(schema, 'oneOf')]
  return branches.some((branch) => isRecord(branch) && typeof branch['description'] === 'string')
}

/** A verb at the end of a name that promises no change. */
const readingVerb = /(^|[._-])(get|list|find|search|read|show|fetch|count|lookup|check|describe)$/
const changingVerb =
  /(^|[._-])(delete|remove|destroy|drop|purge|wipe|create|update|write|send|set|refund|pay)$/

function checkEffect({ name, effect, idempotent, approval }: ToolContract): ToolFinding[] {
  const findings: ToolFinding[] = []
  const add = (path: string, message: string) =>
    findings.push({ severity: 'warning', rule: 'effect', path, message })
  if (effect === 'read' && !idempotent)
    add('/idempotent', 'is false for a tool that only reads; then its effect is not read')
  if (effect === 'read' && changingVerb.test(name))
    add('/effect', `is read, but ${name} sounds as if it changed something`)
  if (effect !== 'read' && readingVerb.test(name))
    add('/effect', `is ${effect}, but ${name} sounds as if it only read`)
  if (effect === 'read' && approval === 'always')
    add('/approval', 'is always for a tool that only reads; people will approve without looking')
  return findings
}

const goodSecretName = /^[a-z][a-z0-9_]*$/

function checkSecrets({ secrets }: ToolContract): ToolFinding[] {
  return secrets
    .map(({ key }, index) => ({ key, path: `/secrets/${index}/key` }))
    .filter(({ key }) => !goodSecretName.test(key))
    .map(({ key, path }) => ({
      severity: 'warning',
      rule: 'secret',
      path,
      message: `${key} is better written in lower-case words with _, like stripe_key, so that tools share it`,
    }))
}

function toPortability({ inputSchema }: ToolContract): ToolFinding[] {
  const found = new Map<string, ToolFinding & { providers: string[] }>()
  for (const { provider, path, message } of checkPortability(inputSchema)) {
    const key = `${path} ${message}`
    const known = found.get(key)
    if (known) known.providers.push(provider)
    else {
      const finding = {
        severity: 'warning',
        rule: 'portability',
        path: `/inputSchema${path}`,
        message,
      } as const
      found.set(key, { ...finding, providers: [provider] })
    }
  }
  return [...found.values()].map(({ providers, ...finding }) => ({
    ...finding,
    message: `${providers.join(', ')}: ${finding.message}`,
  }))
}
