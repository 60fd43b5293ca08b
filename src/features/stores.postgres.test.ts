import { afterAll } from 'vitest'
import { postgresStore } from '../store/contract/store-fixtures.ts'
import { describeOn } from '../store/store.contract.ts'
import { describeFeatureStores } from './stores.contract.ts'

const fixture = await postgresStore()

describeOn('stores of features on PostgreSQL', fixture, describeFeatureStores)

afterAll(() => fixture.remove())
