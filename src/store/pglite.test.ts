import { afterAll } from 'vitest'
import { embeddedStore } from './contract/store-fixtures.ts'
import { describeOn, describeStore } from './store.contract.ts'

const fixture = await embeddedStore()

describeOn('the embedded store', fixture, describeStore)

afterAll(() => fixture.remove())
