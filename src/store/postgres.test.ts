import { afterAll } from 'vitest'
import { postgresStore } from './contract/store-fixtures.ts'
import { describeOn, describeStore } from './store.contract.ts'

const fixture = await postgresStore()

describeOn('the store on PostgreSQL', fixture, describeStore)

afterAll(() => fixture.remove())
