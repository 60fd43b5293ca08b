import type { Api } from '../../api/client.ts'

type Explanation = Api<'Explanation'>

/** Layers whose own name does not say enough. */
const layerTitles: Partial<Record<Explanation['layers'][number]['layer'], string>> = {
  catalogue: 'Pack enabled',
  grants: 'Granted to the agent',
  flags: 'Memory and knowledge',
  needs: 'Secrets and settings',
}

/** The title of a layer of a decision. */
export function layerTitle(layer: Explanation['layers'][number]['layer']): string {
  return layerTitles[layer] ?? layer.charAt(0).toUpperCase() + layer.slice(1)
}

/** The rules that require approval. */
export const askNames: Record<NonNullable<Explanation['asks']>[number]['layer'], string> = {
  approval: 'The tool itself',
  hooks: 'Agent rule: confirm',
  autonomy: 'Agent autonomy',
  settings: 'Agent settings',
  'data-flow': 'Data flow',
}
