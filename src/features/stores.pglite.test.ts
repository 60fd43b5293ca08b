import { afterAll } from 'vitest'
import { embeddedStore } from '../store/contract/store-fixtures.ts'
import { describeOn } from '../store/store.contract.ts'
import { describeFeatureStores } from './stores.contract.ts'

const fixture = await embeddedStore()

describeOn('stores of features, embedded', fixture, describeFeatureStores)

afterAll(() => fixture.remove())
