import { afterAll } from 'vitest'
import { describeFeatureStores } from '../features/stores.contract.ts'
import { embeddedStore } from './contract/store-fixtures.ts'
import { describeOn, describeStore } from './store.contract.ts'

const fixture = await embeddedStore({ wire: 'plain' })

describeOn("the embedded store through PGlite's own queries", fixture, (context) => {
  describeStore(context)
  describeFeatureStores(context)
})

afterAll(() => fixture.remove())
