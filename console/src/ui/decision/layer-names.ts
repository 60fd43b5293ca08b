import type { Api } from '../../api/client.ts'

type Explanation = Api<'Explanation'>
type AskLayer = NonNullable<Explanation['asks']>[number]['layer']

/** Layers whose own name does not say enough. */
const layerTitles = new Map<string, string>([
  ['catalogue', 'Pack enabled'],
  ['grants', 'Granted to the agent'],
  ['flags', 'Memory and knowledge'],
  ['needs', 'Secrets and settings'],
])

/** The rules that require approval. */
export const askNames: Record<AskLayer, string> = {
  approval: 'The tool itself',
  hooks: 'Agent rule: confirm',
  autonomy: 'Agent autonomy',
  settings: 'Agent settings',
  'data-flow': 'Data flow',
}

/** The title of a layer of a decision, or of a rule that requires approval. */
export function layerTitle(layer: string): string {
  const title = layerTitles.get(layer) ?? (isAskLayer(layer) ? askNames[layer] : layer)
  return title.charAt(0).toUpperCase() + title.slice(1)
}

function isAskLayer(layer: string): layer is AskLayer {
  return Object.hasOwn(askNames, layer)
}
