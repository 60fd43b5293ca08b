import type { CoreApi } from '../core/crib-api.ts'
import type { FeatureApi } from './operations.ts'

/** The whole library API of a crib. */
export type CribApi = CoreApi & FeatureApi
