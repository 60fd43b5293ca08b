import { catalogueLayer } from './catalogue-layer.ts'
import { flagsLayer } from './flags-layer.ts'
import { grantsLayer } from './grants-layer.ts'
import { healthLayer } from './health-layer.ts'
import { needsLayer } from './needs-layer.ts'
import { permissionLayer } from './permission-layer.ts'
import { policyLayer } from './policy-layer.ts'
import { runtimeLayer } from './runtime-layer.ts'
import { tenantLayer } from './tenant-layer.ts'
import type { Layer } from './verdicts.ts'

/**
 * The layers by the name in their verdicts, in order: the first one that hides a tool decides.
 * Explain, the API and the console take names and order from here.
 */
export const layersByName = {
  runtime: runtimeLayer,
  tenant: tenantLayer,
  catalogue: catalogueLayer,
  grants: grantsLayer,
  flags: flagsLayer,
  policy: policyLayer,
  permission: permissionLayer,
  needs: needsLayer,
  health: healthLayer,
} as const satisfies Record<string, Layer>

export type LayerName = keyof typeof layersByName

export const layerNames = Object.keys(layersByName) as [LayerName, ...LayerName[]]
