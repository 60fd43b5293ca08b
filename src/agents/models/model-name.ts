import { ToolError } from '../../core/kernel/errors.ts'
import { findNearest } from '../../core/patterns/nearest-name.ts'
import type { Provider } from './provider.ts'
import { providers } from './providers.ts'

/** A model as an agent names it. */
export interface ModelName {
  provider: Provider
  /** The configured server, of providers that have several. */
  server?: string
  /** The provider's own name for it. */
  model: string
}

/** Reads `demo`, `<provider>/<model>` and `<provider>/<server>/<model>`. A model's own name may contain slashes. */
export function parseModelName(text: string, known: readonly Provider[] = providers): ModelName {
  const [id = '', ...rest] = text.split('/')
  const provider = known.find((one) => one.id === id)
  const name = provider && readPath(provider, rest)
  if (name !== undefined) return name
  throw new ToolError(
    'invalid_config',
    `${JSON.stringify(text.slice(0, 200))} is not the name of a model`,
    {
      fix: `${askFor(id, known)}Use ${toList(known.map(({ id: first, modelPath }) => `${first}${modelPath}`))}.`,
    },
  )
}

function askFor(id: string, known: readonly Provider[]): string {
  const ids = known.map((one) => one.id)
  const nearest = ids.includes(id) ? undefined : findNearest(id, ids)
  return nearest === undefined ? '' : `Did you mean ${nearest}? `
}

function readPath(provider: Provider, rest: readonly string[]): ModelName | undefined {
  const { id, modelPath } = provider
  if (modelPath === '') return rest.length === 0 ? { provider, model: id } : undefined
  if (modelPath === '/<model>') {
    const model = rest.join('/')
    return model === '' ? undefined : { provider, model }
  }
  const [server = '', ...more] = rest
  const model = more.join('/')
  return server === '' || model === '' ? undefined : { provider, server, model }
}

function toList(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
