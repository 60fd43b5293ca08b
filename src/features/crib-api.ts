import type { CoreApi } from '../core/crib-api.ts'
import type { FeatureApi } from './operations.ts'

/** Everything a crib can be asked for. */
export type CribApi = CoreApi & FeatureApi
