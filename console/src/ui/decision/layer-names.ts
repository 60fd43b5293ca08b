import type { Api } from '../../api/client.ts'

type Explanation = Api<'Explanation'>

/** The names of the layers of a decision. */
export const layerNames: Record<Explanation['layers'][number]['layer'], string> = {
  runtime: 'Runtime',
  tenant: 'Tenant',
  catalogue: 'Pack enabled',
  grants: 'Granted to the agent',
  flags: 'Memory and knowledge',
  policy: 'Policy',
  permission: 'Permission',
  needs: 'Secrets and settings',
  health: 'Health',
}

/** The rules that require approval. */
export const askNames: Record<NonNullable<Explanation['asks']>[number]['layer'], string> = {
  approval: 'The tool itself',
  hooks: 'Agent rule: confirm',
  autonomy: 'Agent autonomy',
  settings: 'Agent settings',
  'data-flow': 'Data flow',
}
